package import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
import Synchronization

/// Computes fingerprints (`RowFingerprint`) of the store's state before a transaction. A second thread computes them
/// while the transaction runs. Deinitializing the object stops the thread.
package final class FingerprintThread {
  private let cancellation = Cancellation()
  private let taken = TakenFingerprints()
  private let worker: WorkerThread

  /// - Parameter state: the state before the transaction. It is checked for damage first, unless it is a backup.
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

  /// Waits for all fingerprints. Call this method once.
  ///
  /// - Throws: `DatabaseError` if the state is damaged or can't be read.
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

/// A file that contains the state of a store before a transaction, and doesn't change until the commit.
package enum StateBefore: Hashable, Sendable {
  /// A copy that was checked when it was created.
  case backup(path: LocalPath)
  /// The store's own file, while the transaction writes to the `-wal`. It isn't checked yet.
  case ownFile(path: LocalPath)

  func open() throws -> Store {
    switch self {
    case .backup(let path): try Store.open(path, .reading)
    // The writer holds the lock, so the reader doesn't acquire one.
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
  /// Checkpoints the `-wal` into the store's file, which then contains the state before the next transaction of this
  /// connection. Returns nil if a part of the `-wal` remains, or if the store doesn't use a `-wal`, so that a
  /// transaction writes to the file itself.
  ///
  /// The store must be open exclusively.
  ///
  /// - Throws: `DatabaseError` if the checkpoint fails.
  package func checkpointedState() throws -> StateBefore? {
    let isWhole = try database.use { connection in
      var result = try connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
      // The result is 0|0|0 if the whole -wal was checkpointed, and 0|-1|-1 if the store doesn't use a -wal.
      return try result.step() && (Int32(0)..<3).allSatisfy { result.integer(at: $0) == 0 }
    }
    return isWhole ? .ownFile(path: path) : nil
  }
}
