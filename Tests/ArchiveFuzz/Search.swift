import ModelArchives
import Foundation
import FuzzSupport
import SeededRandom
import StoreLayout
import StoreModelReader

/// Runs cases one after the other, until the limit of time or runs is reached, or until a finding.
final class Search {
  private let options: Options
  private let sources: [(form: Examination.Form, bytes: [UInt8])]
  private let trace: TraceFile
  private var models = 0
  private var reasons: Set<String> = []

  /// With the models of the repository, the program uses 30 MB, most of it for itself.
  private static let megabytes = 200
  private static let secondsForOne = 5.0

  init(_ options: Options) throws {
    self.options = options
    sources = try Self.archives(below: options.root)
    trace = try TraceFile(options.trace)
  }

  /// Every version of the repository's models, as a file and as the stream in a store.
  private static func archives(
    below root: String
  ) throws -> [(form: Examination.Form, bytes: [UInt8])] {
    let folders = ["Models", "Tests/StoreFuzz/Models"].map { "\(root)/\($0)" }
    var archives: [(form: Examination.Form, bytes: [UInt8])] = []
    for version in try folders.flatMap(ModelBundle.find).flatMap(\.versions) {
      let model = try version.read().model
      archives.append((.file, EncodedModel(model, as: .file).bytes))
      let stored = EncodedModel(model, as: .store).bytes
      archives.append((.stream, try ModelCache.compressed(stored)))
    }
    return archives
  }

  /// Whether the search has ended without a finding.
  func run() throws -> Bool {
    if let only = options.onlyCase { return try isClean(only) }
    print("seed \(options.seed), \(sources.count) archives")
    let deadline = ContinuousClock.now + .seconds(min(options.seconds, 1e6))
    var number = 0
    while ContinuousClock.now < deadline, number < options.runs {
      guard try isClean(number) else { return false }
      number += 1
    }
    print(
      "\(number) archives, \(models) of them models, \(reasons.count) reasons to refuse one, "
        + "\(Self.peak) MB at most: nothing found")
    return true
  }

  private func isClean(_ number: Int) throws -> Bool {
    // `Scripts/fuzz-archives` reads it there if the process crashes.
    try trace.note("\(number)")
    var random = SeededGenerator(seed: options.seed, case: number)
    var (form, bytes) = random.pick(sources)
    let isSmaller = form == .stream && random.below(3) > 0
    // Most changes of a stream only make its compression invalid.
    if isSmaller { (form, bytes) = (.file, try ModelCache.decompressed(bytes)) }
    for _ in 0...random.below(6) { ArchiveMutation.change(&bytes, &random) }
    if isSmaller { (form, bytes) = (.stream, try ModelCache.compressed(bytes)) }
    let start = ContinuousClock.now
    let answer = Examination.examine(bytes, as: form)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard let finding = finding(in: answer, seconds) else { return true }
    print("FOUND after \(number) archives: \(finding)")
    print("Scripts/fuzz-archives --seed \(options.seed) --case \(number)")
    return false
  }

  private func finding(in answer: Examination.Answer, _ seconds: Double) -> String? {
    switch answer {
    case .finding(let finding): return finding
    case .model: models += 1
    case .refused(let reason): reasons.insert(reason.replacing(/[0-9]+/, with: "n"))
    }
    if options.onlyCase != nil { print(answer) }
    if seconds > Self.secondsForOne { return "\(seconds) s for one archive" }
    if Self.peak > Self.megabytes { return "\(Self.peak) MB" }
    return nil
  }

  /// The maximum memory of the process, in megabytes.
  private static var peak: Int {
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss >> 10
    #else
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss >> 20
    #endif
  }
}
