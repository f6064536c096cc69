package import SQLiteAccess
import StoreDiagnostics
import Synchronization
import StoreCore

/// Takes the fingerprints of a store as it was on a second thread; gone, it takes no more.
package final class FingerprintThread {
  private let cancellation = Cancellation()
  private let taken = TakenFingerprints()
  private let worker: WorkerThread

  /// - Parameter state: checked first, unless it has been.
  package init(of queries: [SQL], in state: StateBefore) {
    worker = WorkerThread(named: "storetool.proof") { [cancellation, taken] in
      let store = try state.open()
      try store.read(cancellation: cancellation) { connection in
        if !state.isChecked { try connection.quickCheck() }
        for query in queries { taken.add(try connection.fingerprint(of: query)) }
      }
      try store.close()
    }
  }

  deinit {
    cancellation.request()
    worker.wait()
  }

  /// Waits for all of them. To be called once.
  ///
  /// - Throws: `DatabaseError`
  package func fingerprints() throws -> [RowFingerprint] {
    try worker.join()
    return taken.all
  }
}

private final class TakenFingerprints: Sendable {
  private let list = Mutex<[RowFingerprint]>([])

  func add(_ fingerprint: RowFingerprint) { list.withLock { $0.append(fingerprint) } }

  var all: [RowFingerprint] { list.withLock { $0 } }
}
