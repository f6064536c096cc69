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
