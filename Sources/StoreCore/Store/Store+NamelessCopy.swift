package import SQLiteAccess
package import StoreDiagnostics

extension Store {
  /// Returns a copy of the store in a file without a name. The system removes the file when its connection closes, even
  /// after a crash. It is used for changes after which no old value may remain on disk. The copy has no journal, except
  /// with Apple's SQLite, which writes the journal to another file without a name. After an error, the copy can't be
  /// used.
  ///
  /// - Parameter progress: is called with the number of copied pages.
  /// - Throws: `DatabaseError`, `Cancelled`
  package func namelessCopy(
    cancellation: Cancellation = .ofProcess, progress: (Int) -> Void = { _ in }
  ) throws -> Database {
    // An empty name creates a temporary database (https://www.sqlite.org/inmemorydb.html).
    let copy = try Self.connect(DatabaseFile.Opening(uri: ""), path: path, .writing)
    try copyPages(to: copy, cancellation, progress)
    return copy
  }

  /// Writes the rows of a database to a new file, without free pages. The pages of the file never contained other
  /// values.
  ///
  /// - Parameter draft: an empty file.
  /// - Throws: `DatabaseError`
  package func write(
    _ rows: Database, to draft: NewFile, cancellation: Cancellation = .ofProcess
  ) throws {
    try rows.use(heeding: cancellation) { connection in
      _ = try connection.interrupting(on: cancellation) {
        try connection.run("VACUUM INTO \(value: .text(DatabaseFile.uri(draft.path, ["mode=rw"])))")
      }
    }
    let journal = try DatabaseFile(path).journal
    let written = try Self.openDraft(draft)
    try written.use { connection in
      try connection.quickCheck()
      if journal == .wal { try connection.run("PRAGMA journal_mode = WAL") }
    }
    try written.close()
  }

  /// Opens a database for writing before its final name exists.
  ///
  /// - Parameter draft: an empty file, or a file with a database.
  package static func openDraft(_ draft: NewFile) throws -> Database {
    try connect(
      DatabaseFile.Opening(uri: DatabaseFile.uri(draft.path, ["mode=rw"])), path: draft.target,
      .writing)
  }

  /// Replaces the content of the store by another database, in one transaction.
  ///
  /// - Parameters:
  ///   - content: a database with the page size and journal mode of the store.
  ///   - progress: is called with the number of copied pages.
  /// - Throws: `DatabaseError`, `Cancelled`. The store is then unchanged.
  package func replaceContent(
    with content: Database, cancellation: Cancellation = .ofProcess,
    progress: (Int) -> Void = { _ in }
  ) throws {
    try content.use { from in
      try database.use(heeding: cancellation) { to in
        try from.copyPages(to: to, cancellation, progress: progress)
      }
    }
  }
}
