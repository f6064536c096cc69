import SQLiteAccess
import Foundation
import FuzzSupport

/// Runs fixed inputs of every construct, and then mutations until the time is over.
final class Search {
  private let options: Options
  private let examination: Examination
  private var mutation: TextMutation
  /// Texts whose growth isn't checked yet.
  private var repeated = Grammar.repeated[...]
  private let trace: TraceFile
  private var inputs = 0
  private var parsed = 0

  init(_ options: Options, _ examination: Examination) throws {
    self.options = options
    self.examination = examination
    mutation = TextMutation(seed: options.seed)
    trace = try TraceFile(options.trace)
  }

  /// Whether the search has ended without a finding.
  func run() throws -> Bool {
    print("seed \(options.seed), \(options.seconds) s")
    let deadline = ContinuousClock.now + .seconds(options.seconds)
    for text in Grammar.deepTexts {
      guard try isClean(text) else { return false }
    }
    while ContinuousClock.now < deadline {
      let text = mutation.next()
      guard try isClean(text) else { return false }
      if inputs.isMultiple(of: 300), !isLinear(repeated.popFirst() ?? text) { return false }
    }
    print(
      "\(inputs) inputs, \(parsed) of them predicates, \(examination.statements) SQL statements: "
        + "nothing found")
    return true
  }

  private func isClean(_ text: String) throws -> Bool {
    inputs += 1
    // `Scripts/fuzz` reads it there if the process crashes.
    try trace.note(text)
    if let finding = examination.finding(in: text) {
      report(finding, text)
      return false
    }
    if examination.wasPredicate {
      parsed += 1
      mutation.keep(text)
    }
    return true
  }

  private func isLinear(_ text: String) -> Bool {
    guard let finding = GrowthCheck.finding(in: text) else { return true }
    report(finding, text)
    return false
  }

  private func report(_ finding: String, _ text: String) {
    print("FOUND after \(inputs) inputs: \(finding)")
    print(text.count > 2_000 ? "\(text.prefix(2_000))…" : text)
    print(
      "Scripts/fuzz --seed \(options.seed) --input \(Data(text.utf8).base64EncodedString())")
  }
}
