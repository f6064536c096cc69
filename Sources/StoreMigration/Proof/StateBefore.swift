package import StoreDiagnostics
import SQLiteAccess
package import StoreCore

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
