import Synchronization

/// The user's wish that the running work stop. A signal handler may set it; work that lasts looks
/// at it between batches, throws, and so rolls back.
package final class Cancellation: Sendable {
  private let isWished = Atomic<Bool>(false)

  /// The one that Ctrl-C sets.
  package static let ofProcess = Cancellation()

  package init() {}

  /// Before a handler is installed: one that made the object itself would allocate memory, maybe while the program does.
  @inline(never)
  package static func makeOfProcess() {
    ofProcess.isWished.store(false, ordering: .relaxed)
  }

  package func request() {
    isWished.store(true, ordering: .relaxed)
  }

  package var isRequested: Bool { isWished.load(ordering: .relaxed) }

  /// - Throws: `Cancelled` once the wish was made.
  package func check() throws(Cancelled) {
    if isRequested { throw Cancelled() }
  }
}

/// Work that was stopped on request; what it had begun is rolled back.
package struct Cancelled: DiagnosableError, Hashable {
  package init() {}

  package var diagnostics: [Diagnostic] {
    [Diagnostic(.error, "cancelled", "cancelled; nothing was changed", cause: .cancelled)]
  }
}
