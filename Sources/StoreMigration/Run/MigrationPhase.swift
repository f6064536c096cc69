/// What a migration is about to do, for people who wait.
public enum MigrationPhase: Hashable, Sendable {
  /// Asks for rows that stand in the way, and for losses.
  case checking
  case backingUp
  /// Compares the rows before and after.
  case proving
  /// Runs a statement, the `number`th of so many: what it does.
  case step(number: Int, of: Int, purpose: String)
  /// Runs the program's own step between two versions.
  case customStep(from: String, to: String)
}

extension MigrationPhase: CustomStringConvertible {
  /// In words for a progress line: `3 of 12: drops Item.mark`.
  public var description: String {
    switch self {
    case .checking: "looks for what stands in the way"
    case .backingUp: "copies the store"
    case .proving: "reads what is to be compared"
    case .customStep(let from, let to): "runs the program's step from '\(from)' to '\(to)'"
    case .step(let number, let count, let purpose): "\(number) of \(count): \(purpose)"
    }
  }
}
