package import SQLiteAccess
package import StoreDiagnostics
import StoreLayout
import Synchronization

extension Store {
  /// Creates a complete copy of the store with another name, including the rows in the `-wal`. External values are
  /// copied to the folder of the copy. The copy contains one state of the store, and other processes can write to the
  /// store in the meantime. With a rollback journal they have to wait.
  ///
  /// - Throws: the errors of `preparedBackup`, and of publishing it.
  package func backUp(
    to target: LocalPath, cancellation: Cancellation = .ofProcess
  ) throws {
    try read(cancellation: cancellation) {
      try preparedBackup(to: target, on: $0, cancellation: cancellation)
    }
    .publish()
  }

  /// Creates a complete copy of the store in a read transaction, and compares it with the store. The copy receives its
  /// name when it is published, after the read transaction.
  ///
  /// - Parameters:
  ///   - replaces: whether the copy replaces an existing file. It replaces the values of an existing store as well.
  ///   - connection: a connection in a read transaction. It begins another read transaction.
  ///   - progress: is called with the copied share of the pages.
  /// - Throws: `DatabaseError`; `StoreLayoutError.linkedValues`, `StoreLayoutError.copyDiffers`; `Cancelled`. No copy
  ///   remains then, and an existing file is unchanged.
  package func preparedBackup(
    to target: LocalPath, replaces: Bool = false, on connection: Connection,
    cancellation: Cancellation, progress: (Double) -> Void = { _ in }
  ) throws -> PreparedBackup {
    if let file = FileIdentity(of: target), file == FileIdentity(of: path) {
      throw DatabaseError.exists(path: target)
    }
    let draft = try NewFile(target: target, like: path, replaces: replaces)
    var isPrepared = false
    defer { if !isPrepared { draft.discard() } }
    var files = try BackupFolder(of: self, beside: target, replaces: replaces)
    defer { if !isPrepared { files.discard() } }
    // The first read determines the state.
    let count = try files.fill(on: connection) { try connection.integer("PRAGMA page_count") }
    let copy = try Self.openDraft(draft)
    try connection.copyPages(to: copy, cancellation) { progress(Double($0) / Double(count)) }
    try copy.close()
    try requireSameContent(in: draft.path, as: target, connection, cancellation)
    isPrepared = true
    return PreparedBackup(draft: draft, files: files)
  }

  /// Creates a copy for trying a change. The copy isn't synced to disk. The caller removes it.
  ///
  /// - Parameter takesFiles: whether to copy external values, for work that reads or writes them.
  /// - Throws: `DatabaseError`; `StoreLayoutError.linkedValues`; `Cancelled`
  package func copyForDryRun(
    to target: LocalPath, takesFiles: Bool = false, cancellation: Cancellation = .ofProcess
  ) throws {
    let draft = try NewFile(target: target, like: path)
    defer { draft.discard() }
    let copy = try Self.openDraft(draft)
    try copyPages(to: copy, cancellation) { _ in }
    try copy.close()
    try draft.publishForNow()
    guard takesFiles else { return }
    do {
      try ExternalFolder(path: externalDataFolder)
        .duplicate(to: ExternalFolder.path(beside: target), for: target)
    } catch {
      Self.discardDryRunCopy(target)
      throw error
    }
  }

  /// Removes a copy that `copyForDryRun` has created.
  package static func discardDryRunCopy(_ path: LocalPath) {
    NewFile.removeDatabase(path)
    ExternalFolder(path: ExternalFolder.path(beside: path)).removeAll()
  }

  /// Copies the pages of the store to a database that isn't synced to disk.
  ///
  /// - Parameter progress: is called with the number of copied pages.
  func copyPages(
    to copy: Database, _ cancellation: Cancellation, _ progress: (Int) -> Void
  ) throws {
    try database.use { try $0.copyPages(to: copy, cancellation, progress) }
  }
}

/// A complete backup without its final name. It is published or discarded.
package final class PreparedBackup: Sendable {
  private let draft: NewFile
  private let files: BackupFolder
  private let isOver = Atomic(false)

  init(draft: NewFile, files: BackupFolder) {
    self.draft = draft
    self.files = files
  }

  deinit { discard() }

  /// Syncs the backup to disk, and gives it its name.
  ///
  /// - Throws: `DatabaseError`. No copy remains then, and a file that would have been replaced is unchanged, unless
  ///   only syncing the name has failed.
  package func publish() throws(DatabaseError) {
    do {
      try files.sync()
      try draft.publish()
    } catch {
      // A file that replaces another one can have its name already, and then it needs its values.
      if draft.isRenamed { finish() } else { discard() }
      throw error
    }
    finish()
  }

  private func finish() {
    guard !isOver.exchange(true, ordering: .relaxed) else { return }
    files.finish()
  }

  private func discard() {
    guard !isOver.exchange(true, ordering: .relaxed) else { return }
    draft.discard()
    files.discard()
  }
}

extension Connection {
  /// Copies the pages of the store to a database that isn't synced to disk. In a read transaction, all pages have the
  /// state of the transaction. Otherwise SQLite begins again after each write of another connection.
  fileprivate func copyPages(
    to copy: Database, _ cancellation: Cancellation, _ progress: (Int) -> Void
  ) throws {
    try copy.use { to in
      // Losing a draft in a crash is harmless. Apple's SQLite ignores `OFF`, so the draft has a journal there.
      try to.run("PRAGMA synchronous = OFF")
      try to.run("PRAGMA journal_mode = OFF")
      try copyPages(to: to, cancellation, progress: progress)
    }
  }
}

extension Store {
  /// Opens a copy, and compares its metadata and its row counts with the metadata and the row counts of the store.
  ///
  /// SQLite's quick check of the copy also checks the store, because their pages are equal.
  ///
  /// - Parameters:
  ///   - target: the path of the copy for error messages.
  ///   - connection: the connection that has read the copied state.
  /// - Throws: `StoreLayoutError.copyDiffers` with the first difference; `DatabaseError`, such as `damaged` with the
  ///   path of the store.
  func requireSameContent(
    in path: LocalPath, as target: LocalPath, _ connection: Connection,
    _ cancellation: Cancellation = .ofProcess
  ) throws {
    let copy = try Store.open(path, .reading)
    let counts = try copy.read(cancellation: cancellation) { connection in
      try connection.quickCheck(naming: self.path)
      return try connection.rowCounts()
    }
    try copy.close()
    guard try copy.metadata == connection.metadata() ?? metadata else {
      throw StoreLayoutError.copyDiffers(path: target, .metadata)
    }
    let own = try connection.rowCounts()
    for table in Set(own.keys).union(counts.keys).sorted() where own[table] != counts[table] {
      throw StoreLayoutError.copyDiffers(
        path: target, .rows(table: table, store: own[table], copy: counts[table]))
    }
  }
}
