import SQLiteAccess
package import StoreDiagnostics
import StoreLayout

extension Store {
  /// Creates a complete copy of the store with another name, including the rows in the `-wal`. The copy is synced to
  /// disk when this function returns. External values are copied to the folder of the copy.
  ///
  /// The copy receives its name after it is complete. It is then opened with this name and compared with the store. An
  /// existing file is never overwritten.
  ///
  /// - Throws: `DatabaseError`; `StoreLayoutError.linkedValues`, `StoreLayoutError.copyDiffers`; `Cancelled`. No copy
  ///   remains then.
  package func backUp(
    to target: LocalPath, cancellation: Cancellation = .ofProcess,
    progress: (Int) -> Void = { _ in }
  ) throws {
    let draft = try NewFile(target: target, like: path)
    defer { draft.discard() }
    let files = try DraftFolder(beside: target)
    do {
      try copyPages(to: draft, cancellation, progress)
      try ExternalFolder(path: externalDataFolder).duplicate(to: files.folder.path, for: target)
      try files.folder.sync(for: target)
      try draft.publish()
      do {
        try requireSameContent(in: target, cancellation)
      } catch {
        NewFile.remove(target)
        throw error
      }
    } catch {
      files.discard()
      throw error
    }
    files.finish()
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
    try copyPages(to: draft, cancellation) { _ in }
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

  /// - Parameter progress: is called with the number of copied pages.
  private func copyPages(
    to draft: NewFile, _ cancellation: Cancellation, _ progress: (Int) -> Void
  ) throws {
    let copy = try Self.openDraft(draft)
    try copyPages(to: copy, cancellation, progress)
    try copy.close()
  }

  /// Copies the pages of the store to a database that isn't synced to disk.
  func copyPages(
    to copy: Database, _ cancellation: Cancellation, _ progress: (Int) -> Void
  ) throws {
    try database.use { from in
      try copy.use { to in
        // Losing a draft in a crash is harmless. Apple's SQLite ignores `OFF`, so the draft has a journal there.
        try to.run("PRAGMA synchronous = OFF")
        try to.run("PRAGMA journal_mode = OFF")
        try from.copyPages(to: to, cancellation, progress: progress)
      }
    }
  }
}

extension Store {
  /// Opens a copy at its final path, and compares its metadata and its numbers of rows with those of the store.
  ///
  /// SQLite's quick check of the copy also checks the store, because their pages are equal.
  ///
  /// - Throws: `StoreLayoutError.copyDiffers` with the first difference; `DatabaseError`, such as `damaged` with the
  ///   path of the store.
  func requireSameContent(in path: LocalPath, _ cancellation: Cancellation = .ofProcess) throws {
    let copy = try Store.open(path, .reading)
    let counts = try copy.read(cancellation: cancellation) { connection in
      try connection.quickCheck(naming: self.path)
      return try connection.rowCounts()
    }
    try copy.close()
    guard copy.metadata == metadata else {
      throw StoreLayoutError.copyDiffers(path: path, .metadata)
    }
    let own = try read(cancellation: cancellation) { try $0.rowCounts() }
    for table in Set(own.keys).union(counts.keys).sorted() where own[table] != counts[table] {
      throw StoreLayoutError.copyDiffers(
        path: path, .rows(table: table, store: own[table], copy: counts[table]))
    }
  }
}
