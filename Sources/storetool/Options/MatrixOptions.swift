import ArgumentParser
import StoreMigration

/// What the stores of a matrix are filled with.
struct MatrixOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --matrix: how many rows each entity gets, 1 to 1000. Default: 10.", valueName: "count"))
  var rows: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --matrix: what the values are drawn with. Default: 1.", valueName: "number"))
  var seed: UInt64?

  func validate() throws {
    if let rows, !(1...1000).contains(rows) { throw ValidationError("--rows takes 1 to 1000") }
  }

  var isGiven: Bool { rows != nil || seed != nil }

  var sample: PairTrial.Sample { PairTrial.Sample(rows: rows ?? 10, seed: seed ?? 1) }
}
