import StoreSQL
import Foundation

/// One run: fixed inputs of every construct, then mutations until the time is over.
final class Search {
  private let options: Options
  private let examination: Examination
  private var mutation: TextMutation
  /// Texts whose growth is still to be looked at.
  private var repeated = Grammar.repeated[...]
  private let trace: FileHandle?
  private var inputs = 0
  private var parsed = 0

  init(_ options: Options, _ examination: Examination) throws {
    self.options = options
    self.examination = examination
    mutation = TextMutation(seed: options.seed)
    if let path = options.trace {
      let file = URL(fileURLWithPath: path)
      try Data().write(to: file)
      trace = try FileHandle(forWritingTo: file)
    } else {
      trace = nil
    }
  }

  /// Whether nothing was found.
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
    try note(text)
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

  /// Leaves the input where `Scripts/fuzz` finds it when the process ends over it.
  private func note(_ text: String) throws {
    guard let trace else { return }
    try trace.truncate(atOffset: 0)
    try trace.write(contentsOf: Data(text.utf8))
  }

  private func report(_ finding: String, _ text: String) {
    print("FOUND after \(inputs) inputs: \(finding)")
    print(text.count > 2_000 ? "\(text.prefix(2_000))…" : text)
    print(
      "Scripts/fuzz --seed \(options.seed) --input \(Data(text.utf8).base64EncodedString())")
  }
}
