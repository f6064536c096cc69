import StoreDiagnostics
import StoreMigration

/// Shows on a terminal which step of a migration is being taken.
///
///     3 of 12: drops Item.mark
struct PhaseProgress {
  private let start = ContinuousClock.now
  /// Shorter work needs no progress; a step that lasts is shown from its beginning.
  private static let delay = Duration.milliseconds(100)

  /// Runs work that reports its steps; clears the line at its end.
  func following<Result>(
    _ work: (_ report: @escaping (MigrationPhase) -> Void) throws -> Result
  ) rethrows -> Result {
    guard Terminal.err.isTerminal else { return try work { _ in } }
    defer { Terminal.err.send("\r\u{1B}[K") }
    return try work { phase in
      guard ContinuousClock.now - start > Self.delay || phase.lasts else { return }
      Terminal.err.send("\r\(ControlCharacters.escaped(in: phase.description))\u{1B}[K")
    }
  }
}

extension MigrationPhase {
  fileprivate var lasts: Bool {
    switch self {
    case .checking, .step: false
    case .backingUp, .proving, .customStep: true
    }
  }
}
