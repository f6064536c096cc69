import SQLiteAccess
import StoreCore
import StoreDiagnostics

extension PersistentStore {
  /// Copies the store to a new file, while this program and others read and write.
  ///
  ///     try await store.backup(to: "Backups/Todo.sqlite", replacesExisting: true)
  ///
  /// The copy contains one state of the store: all changes before the backup began, and not the later ones. External
  /// values are copied to the folder of the copy. The copy is checked and synced to disk before it receives its name.
  /// After an error or a cancellation no file remains, and a file that would have been replaced is unchanged.
  ///
  /// In WAL mode the backup uses one of the concurrent readers, and doesn't block writers. The `-wal` file grows
  /// during the backup. With a rollback journal, other requests and other processes that write wait for the end of the
  /// backup. The time depends on the size of the store: its pages are read three times and written once.
  ///
  /// - Parameters:
  ///   - path: the path of the copy.
  ///   - replacesExisting: whether to replace an existing file. No program may have it open.
  ///   - progress: called on another thread with the copied share, from 0 to 1, after each 1,024 pages and once at the
  ///     end. The backup waits until it returns.
  /// - Throws: `StoreError` with the reason `exists` if the file exists and isn't replaced, if the path is the store,
  ///   or if a file such as `-wal` exists beside it; `notFound` if the folder doesn't exist; `invalidData` if the
  ///   external values are symbolic links; `damaged`, `locked`, or `inputOutput`; `CancellationError`.
  public func backup(
    to path: some FileLocation, replacesExisting: Bool = false,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    let target = try Self.storePath(path)
    let request = StoreRequest(.backup)
    let backup = try await performReading(request) { [store] connection, cancellation, _ in
      try store.preparedBackup(
        to: target, replaces: replacesExisting, on: connection, cancellation: cancellation,
        progress: { progress?($0) })
    }
    // A store without locks is known to be unchanged only after it was read.
    try await SerialWorker(named: "storetool.backup").run { [self] _ in
      do { try backup.publish() } catch { throw translating(error, of: request) }
    }
    progress?(1)
  }
}
