import Synchronization

/// A flag that requests the cancellation of running work. A signal handler can set it. Long operations check it
/// between batches and throw `Cancelled`, and the caller rolls back their changes.
package final class Cancellation: Sendable {
  private let flag = Atomic<Bool>(false)

  /// The cancellation of the whole process, which Ctrl-C (SIGINT) and SIGTERM request.
  package static let ofProcess = Cancellation()

  package init() {}

  /// Creates `ofProcess`. This must happen before a signal handler is installed: a handler that creates the object
  /// allocates memory, which isn't allowed because the signal may have interrupted another allocation.
  @inline(never)
  package static func makeOfProcess() {
    ofProcess.flag.store(false, ordering: .relaxed)
  }

  package func request() {
    flag.store(true, ordering: .relaxed)
  }

  package var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// - Throws: `Cancelled` if cancellation was requested.
  package func check() throws(Cancelled) {
    if isRequested { throw Cancelled() }
  }
}

/// The error of canceled work, whose changes are rolled back.
package struct Cancelled: DiagnosableError, Hashable {
  package init() {}

  package var diagnostics: [DiagnosticMessage] {
    [DiagnosticMessage(.error, "cancelled", "cancelled; nothing was changed", cause: .cancelled)]
  }
}
