import SQLiteAccess
package import StoreDiagnostics

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
    let copy = try Self.connect(
      DatabaseFile.Opening(uri: DatabaseFile.uri(draft.path, ["mode=rw"])), path: draft.target,
      .writing)
    try database.use { from in
      try copy.use { to in
        // Nothing is lost with a draft. Apple's SQLite ignores `OFF`, and then the draft has a journal.
        try to.run("PRAGMA synchronous = OFF")
        try to.run("PRAGMA journal_mode = OFF")
        try from.copyPages(to: to, cancellation, progress: progress)
      }
    }
    try copy.close()
  }
}
