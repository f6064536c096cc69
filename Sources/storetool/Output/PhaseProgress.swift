import StoreAnonymization
import StoreDiagnostics
import StoreMigration
import StoreVerification

/// A part of long work that is shown while it is done.
protocol ProgressPhase: CustomStringConvertible {
  /// Whether it is shown from its beginning, being long.
  var lasts: Bool { get }
}

/// Shows on a terminal which step of long work is being taken.
///
///     3 of 12: drops Item.mark
struct PhaseProgress {
  private let start = ContinuousClock.now
  /// Shorter work needs no progress; a step that lasts is shown from its beginning.
  private static let delay = Duration.milliseconds(100)

  /// Runs work that reports its steps; clears the line at its end.
  func following<Phase: ProgressPhase, Result>(
    _ work: (_ report: @escaping (Phase) -> Void) throws -> Result
  ) rethrows -> Result {
    guard Terminal.err.isTerminal else { return try work { _ in } }
    defer { Terminal.err.send("\r\u{1B}[K") }
    return try work { phase in
      guard ContinuousClock.now - start > Self.delay || phase.lasts else { return }
      Terminal.err.send("\r\(ControlCharacters.escaped(in: phase.description))\u{1B}[K")
    }
  }
}

extension MigrationPhase: ProgressPhase {
  var lasts: Bool {
    switch self {
    case .checking, .step: false
    case .backingUp, .proving, .customStep: true
    }
  }
}

extension Compaction.Phase: ProgressPhase {
  var lasts: Bool { true }

  var description: String {
    switch self {
    case .checking: "1 of 3: checks the store"
    case .compacting: "2 of 3: writes it anew"
    case .comparing: "3 of 3: checks the new one"
    }
  }
}

extension Anonymization.Phase: ProgressPhase {
  var lasts: Bool { true }

  var description: String {
    switch self {
    case .copying: "copies the store"
    case .replacing(let entity): "replaces the values of \(entity)"
    case .writing: "writes the rows anew"
    case .puttingBack: "puts them in the place of the old ones"
    }
  }
}
