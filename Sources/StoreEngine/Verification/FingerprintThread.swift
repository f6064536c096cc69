import Synchronization

/// Takes the fingerprints of a store that nobody writes to on a second thread; gone, it takes no more.
package final class FingerprintThread {
  private let cancellation = Cancellation()
  private let taken = TakenFingerprints()
  private let worker: WorkerThread

  /// - Parameter path: of a store that stays as it is, such as a backup.
  package init(of queries: [SQL], in path: String) {
    worker = WorkerThread(named: "storetool.proof") { [cancellation, taken] in
      let store = try Store.open(path, .reading)
      try store.read(cancellation: cancellation) { connection in
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
  /// - Throws: `StoreError`
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
