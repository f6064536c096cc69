import StoreAnonymization
import StoreCore
import StoreMigration
import StoreVerification
import Synchronization

/// A phase of a long operation, whose description is displayed.
protocol ProgressPhase: CustomStringConvertible {
  /// Whether the phase is long, so that it is displayed immediately.
  var lasts: Bool { get }
}

/// Shows the current step of a long operation on a terminal, with the finished share of the operation and the remaining
/// time.
///
///     3 of 12: drops Item.mark, 25%, 12 s left
final class PhaseProgress: Sendable {
  private struct State {
    /// The description of the phase or step.
    var purpose = ""
    /// The finished share of the operation, from 0 to 1; nil if it is unknown.
    var share: Double?
  }

  private let start = ContinuousClock.now
  private let state = Mutex(State())
  /// The time after the start of the operation during which only long phases are shown.
  private static let delay = Duration.milliseconds(100)

  /// Runs an operation that reports its phases or steps, and clears the line at the end.
  func following<Result>(_ work: (PhaseProgress) throws -> Result) rethrows -> Result {
    defer { if Terminal.err.isTerminal { ProgressLine.clear() } }
    return try work(self)
  }

  func report(_ phase: some ProgressPhase) {
    show(phase.lasts) { $0.purpose = phase.description }
  }

  func report(_ step: WorkStep) {
    show(false) { $0 = State(purpose: step.purpose, share: step.share ?? $0.share) }
  }

  /// Reports the finished share, from 0 to 1.
  func report(share: Double) {
    show(false) { $0.share = share }
  }

  private func show(_ lasts: Bool, _ change: (inout State) -> Void) {
    let state = state.withLock { state in
      change(&state)
      return state
    }
    let elapsed = ContinuousClock.now - start
    guard Terminal.err.isTerminal, elapsed > Self.delay || lasts else { return }
    let share = state.share.map { ProgressLine.share($0, after: elapsed) } ?? []
    ProgressLine.show([state.purpose] + share)
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
    case .checking: "1 of 3: checking the store"
    case .compacting: "2 of 3: rewriting the store"
    case .comparing: "3 of 3: checking the new store"
    }
  }
}

extension Anonymization.Phase: ProgressPhase {
  var lasts: Bool { true }

  var description: String {
    switch self {
    case .copying: "copying the store"
    case .replacing(let entity): "replacing the values of \(entity)"
    case .writing: "rewriting the rows"
    case .puttingBack: "replacing the old rows"
    }
  }
}
