import SQLiteAccess
package import StoreDiagnostics
import StoreLayout

extension Store {
  /// Makes a whole copy of the store under another name: rows in the `-wal` included, and on the disk
  /// when this returns. Its large values in files come along in a folder of its own.
  ///
  /// The copy gets its name when it is whole, and is then read there as its user would; a name that is
  /// taken is never overwritten.
  ///
  /// - Throws: `DatabaseError`; there is then no copy.
  package func backUp(
    to target: FilePath, cancellation: Cancellation = .ofProcess,
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

  /// Makes a copy to try something on, which need not outlive a crash. The caller removes it.
  ///
  /// - Parameter takesFiles: with the large values in files, for work that reads or writes them.
  /// - Throws: `DatabaseError`; `StoreLayoutError.linkedValues`
  package func copyForDryRun(
    to target: FilePath, takesFiles: Bool = false, cancellation: Cancellation = .ofProcess
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

  /// Removes a store that `copyForDryRun` has made.
  package static func discardDryRunCopy(_ path: FilePath) {
    NewFile.removeDatabase(path)
    ExternalFolder(path: ExternalFolder.path(beside: path)).removeAll()
  }

  /// - Parameter progress: called with the pages that are copied.
  private func copyPages(
    to draft: NewFile, _ cancellation: Cancellation, _ progress: (Int) -> Void
  ) throws {
    let copy = try Self.openDraft(draft)
    try copyPages(to: copy, cancellation, progress)
    try copy.close()
  }

  /// Fills a database that need not outlive a crash with the pages of the store.
  func copyPages(
    to copy: Database, _ cancellation: Cancellation, _ progress: (Int) -> Void
  ) throws {
    try database.use { from in
      try copy.use { to in
        // Nothing is lost with a draft. Apple's SQLite ignores `OFF`, and then the draft has a journal.
        try to.run("PRAGMA synchronous = OFF")
        try to.run("PRAGMA journal_mode = OFF")
        try from.copyPages(to: to, cancellation, progress: progress)
      }
    }
  }
}

extension Store {
  /// Opens a copy as its user would, in its place and under its name, and compares it with the store.
  ///
  /// SQLite checks the copy, and with it the store: their pages are the same.
  ///
  /// - Throws: `StoreLayoutError.copyDiffers` with the first difference; `damaged`, naming the store.
  func requireSameContent(in path: FilePath, _ cancellation: Cancellation = .ofProcess) throws {
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
