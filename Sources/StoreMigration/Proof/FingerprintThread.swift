package import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
import Synchronization

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

/// A file that holds a store as it is before a transaction, and stays as it is until that is committed.
package enum StateBefore: Hashable, Sendable {
  /// A copy, checked when it was made.
  case backup(path: FilePath)
  /// The store's own file, while the transaction goes into the `-wal`; not checked.
  case ownFile(path: FilePath)

  func open() throws -> Store {
    switch self {
    case .backup(let path): try Store.open(path, .reading)
    // Whoever writes has the lock, so none is asked for.
    case .ownFile(let path): try Store.open(path, DatabaseFile(path).unchangingOpening, .reading)
    }
  }

  var isChecked: Bool {
    switch self {
    case .backup: true
    case .ownFile: false
    }
  }
}

extension Store {
  /// Moves what is in the `-wal` into the store's file, which then holds the state before this connection's
  /// next transaction; nil where a transaction may write into it, which one with a rollback journal may.
  ///
  /// The store must have been opened alone.
  ///
  /// - Throws: `DatabaseError`
  package func checkpointedState() throws -> StateBefore? {
    let isWhole = try database.use {
      connection in
      var result = try connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
      // 0|0|0; without a -wal 0|-1|-1.
      return try result.step() && (Int32(0)..<3).allSatisfy { result.integer(at: $0) == 0 }
    }
    return isWhole ? .ownFile(path: path) : nil
  }
}
