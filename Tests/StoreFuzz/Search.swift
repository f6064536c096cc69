import Foundation
import PlainSQLite
import SeededRandom
import StoreDiagnostics

/// Runs cases one after the other, until the limit of time or runs is reached, or until a finding.
final class Search {
  private let options: Options
  private var runs = 0
  private var statuses: [Int32: Int] = [:]
  private var slowest = Extreme(amount: 0)
  private var largest = Extreme(amount: 0)

  init(_ options: Options) {
    self.options = options
  }

  /// Whether the search has ended without a finding.
  func run() throws -> Bool {
    print("seed \(options.seed)")
    try Sample.makeAll(options)
    if let only = options.onlyCase { return try examine(only, isVerbose: true) }
    try requireSoundSamples()
    let deadline = ContinuousClock.now + .seconds(min(options.seconds, 1e6))
    var number = 0
    while ContinuousClock.now < deadline, runs < options.runs {
      guard try examine(number, isVerbose: false) else { return false }
      number += 1
    }
    let counts = statuses.sorted { $0.key < $1.key }.map { "\($0.value) ended with \($0.key)" }
    print("\(number) cases, \(runs) runs: \(counts.joined(separator: ", ")); nothing found")
    print("slowest: \(slowest.amount) ms of the processor, \(slowest.command)")
    print("largest: \(largest.amount) MB, \(largest.command)")
    return true
  }

  /// Checks that the commands succeed on unaltered samples. An invalid command would never have a finding.
  private func requireSoundSamples() throws {
    for sample in Sample.all {
      let folder = try copy(sample, history: false)
      for words in sample.readingCommands {
        let trial = try Trial(words, binary: options.binary, in: folder)
        // A store without a history can't list one, and a store of an older version has a pending migration.
        guard trial.finding == nil, [0, 1].contains(trial.status) || words.first == "history" else {
          throw TrialError.sample(
            "\(words.joined(separator: " ")): \(trial.status) \(trial.errors)")
        }
      }
    }
  }

  private func copy(_ sample: Sample, history: Bool) throws -> String {
    let folder = "\(options.folder)/case"
    if FileManager.default.fileExists(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder)
    }
    try FileManager.default.copyItem(
      atPath: "\(options.folder)/\(sample.name)\(history ? "-history" : "")", toPath: folder)
    return folder
  }

  /// Whether the search has ended without a finding.
  private func examine(_ number: Int, isVerbose: Bool) throws -> Bool {
    var random = SeededGenerator(seed: options.seed, case: number)
    let sample = random.pick(Sample.all)
    let folder = try copy(sample, history: random.below(4) == 0)
    let isModel = random.below(5) == 0
    let done = try alter(folder, sample, isModel: isModel, &random)
    if isVerbose { print("\(sample.name): \(done.joined(separator: "\n  "))") }
    let reading = isModel ? sample.modelCommands : sample.readingCommands
    for _ in 0..<6 {
      let words = random.pick(reading)
      let before = words.first == "create" ? nil : try contents(of: folder)
      guard try examine(words, folder, number, done, isVerbose, leaves: before) else {
        return false
      }
    }
    guard !isModel else { return true }
    return try examine(
      random.pick(sample.writingCommands), folder, number, done, isVerbose, leaves: nil)
  }

  private func examine(
    _ words: [String], _ folder: String, _ number: Int, _ done: [String], _ isVerbose: Bool,
    leaves before: [String: Data]?
  ) throws -> Bool {
    runs += 1
    let trial = try Trial(words, binary: options.binary, in: folder)
    statuses[trial.status, default: 0] += 1
    let command = "case \(number): \(words.joined(separator: " "))"
    slowest.note(trial.milliseconds, command)
    largest.note(trial.megabytes, command)
    var finding = trial.finding
    if finding == nil, let before {
      let after = try contents(of: folder)
      let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      if !changed.isEmpty { finding = "changed: \(changed.sorted().joined(separator: ", "))" }
    }
    if isVerbose {
      print("[\(trial.status)] \(words.joined(separator: " "))\n\(trial.errors.prefix(600))")
    }
    guard let finding else { return true }
    print("FOUND after \(runs) runs: \(finding)\n  storetool \(words.joined(separator: " "))")
    print("  after: \(done.joined(separator: "\n         "))\n\(trial.errors.prefix(1_500))")
    print("Scripts/mutate --seed \(options.seed) --case \(number)")
    return false
  }

  /// - Returns: a description of the change of the store or of its model.
  private func alter(
    _ folder: String, _ sample: Sample, isModel: Bool, _ random: inout SeededGenerator
  ) throws -> [String] {
    if isModel {
      let bundle = "\(folder)/\(sample.model)"
      let versions = try FileManager.default.contentsOfDirectory(atPath: bundle)
        .filter { $0.hasSuffix(".xcdatamodel") }.sorted()
      let path = "\(bundle)/\(random.pick(versions))/contents"
      return try (0...random.below(2)).map { _ in try FileMutation.alterModel(path, &random) }
    }
    let store = "\(folder)/\(Sample.store)"
    if random.below(4) == 0 {
      return try (0...random.below(3)).map { _ in try FileMutation.alterStore(store, &random) }
    }
    return try (0...random.below(3)).map { _ in try alterSchema(store, &random) }
  }

  private func alterSchema(_ path: String, _ random: inout SeededGenerator) throws -> String {
    var statement = ""
    do {
      let database = try PlainDatabase(path)
      statement = try SchemaMutation(database).next(&random)
      try database.execute(statement)
      try database.close()
    } catch let error as PlainDatabase.SQLiteError {
      return "not done: \(statement): \(error.message)"
    }
    return statement
  }

  /// Returns every file with its bytes.
  private func contents(of folder: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let path = "\(folder)/\(name)"
      guard let kind = LocalPath(path).kind, kind != .folder else { continue }
      contents[name] = try Data(contentsOf: URL(fileURLWithPath: path))
    }
    return contents
  }
}

/// The run with the highest amount of a resource.
private struct Extreme {
  var amount: Int
  var command = "none"

  mutating func note(_ amount: Int, _ command: String) {
    if amount > self.amount { (self.amount, self.command) = (amount, command) }
  }
}
