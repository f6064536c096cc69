package import SQLiteAccess
package import StoreDiagnostics

extension Store {
  /// A copy of the store in a file without a name, which is gone with its connection, however that ends: to be changed
  /// where nothing of the old values may stay behind. It has no journal, except with Apple's SQLite, which puts one into
  /// another file without a name. After an error the copy is of no use.
  ///
  /// - Parameter progress: called with the pages that are copied.
  /// - Throws: `DatabaseError`, `Cancelled`
  package func namelessCopy(
    cancellation: Cancellation = .ofProcess, progress: (Int) -> Void = { _ in }
  ) throws -> Database {
    // https://www.sqlite.org/inmemorydb.html, "Temporary databases": the name is empty.
    let copy = try Self.connect(DatabaseFile.Opening(uri: ""), path: path, .writing)
    try copyPages(to: copy, cancellation, progress)
    return copy
  }

  /// Writes the rows of a database into a new file, packed, and nothing else: no page has ever had another content.
  ///
  /// - Parameter draft: empty.
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

  /// - Parameter draft: a database.
  package static func openDraft(_ draft: NewFile) throws -> Database {
    try connect(
      DatabaseFile.Opening(uri: DatabaseFile.uri(draft.path, ["mode=rw"])), path: draft.target,
      .writing)
  }

  /// Puts another database in the place of the store's content, in one transaction.
  ///
  /// - Parameters:
  ///   - content: with the store's page size and journal.
  ///   - progress: called with the pages that are copied.
  /// - Throws: `DatabaseError`, `Cancelled`; the store is then as it was.
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
