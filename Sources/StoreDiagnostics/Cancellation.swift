import Synchronization

/// A request to stop the running work. A signal handler can set it. Long work checks it between batches, throws, and is
/// rolled back.
package final class Cancellation: Sendable {
  private let isWished = Atomic<Bool>(false)

  /// The request that Ctrl-C sets.
  package static let ofProcess = Cancellation()

  package init() {}

  /// Creates the object before a handler is installed. Otherwise the handler could allocate memory while the program
  /// does.
  @inline(never)
  package static func makeOfProcess() {
    ofProcess.isWished.store(false, ordering: .relaxed)
  }

  package func request() {
    isWished.store(true, ordering: .relaxed)
  }

  package var isRequested: Bool { isWished.load(ordering: .relaxed) }

  /// - Throws: `Cancelled` after the request.
  package func check() throws(Cancelled) {
    if isRequested { throw Cancelled() }
  }
}

/// The error of canceled work, which is rolled back.
package struct Cancelled: DiagnosableError, Hashable {
  package init() {}

  package var diagnostics: [Diagnostic] {
    [Diagnostic(.error, "cancelled", "cancelled; nothing was changed", cause: .cancelled)]
  }
}
