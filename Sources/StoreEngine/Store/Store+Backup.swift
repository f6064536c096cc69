import StoreSQL
package import SQLiteAccess
package import StoreDiagnostics
import CSQLite

extension Store {
  /// Makes a whole copy of the store under another name: rows in the `-wal` included, and on the disk
  /// when this returns. Its large values in files come along in a folder of its own.
  ///
  /// The copy gets its name when it is whole, and is then read there as its user would; a name that is
  /// taken is never overwritten.
  ///
  /// - Throws: `DatabaseError`; there is then no copy.
  package func backUp(
    to target: String, cancellation: Cancellation = .ofProcess,
    progress: (Int) -> Void = { _ in }
  ) throws {
    let draft = try NewFile(target: target, suffix: "partial")
    defer { draft.discard() }
    let files = ExternalFolder(path: ExternalFolder.path(beside: target))
    guard StoreFile.size(of: files.path) == nil else {
      throw DatabaseError.exists(path: files.path)
    }
    try copyPages(to: draft, cancellation, progress)
    do {
      try ExternalFolder(path: externalDataFolder).duplicate(to: files.path, for: target)
      try files.sync(for: target)
      try draft.publish()
      do {
        try requireSameContent(in: target, cancellation)
      } catch {
        NewFile.remove(target)
        throw error
      }
    } catch {
      files.removeAll()
      throw error
    }
  }

  /// Makes a copy to try something on, which need not outlive a crash. The caller removes it.
  ///
  /// - Throws: `DatabaseError`
  package func copyForTrial(
    to target: String, cancellation: Cancellation = .ofProcess
  ) throws {
    let draft = try NewFile(target: target, suffix: "trial")
    defer { draft.discard() }
    try copyPages(to: draft, cancellation) { _ in }
    try draft.publishForNow()
  }

  /// Removes a store that `copyForTrial` has made.
  package static func discardTrial(_ path: String) {
    NewFile.removeDatabase(path)
  }

  /// - Parameter progress: called with the pages that are copied.
  private func copyPages(
    to draft: NewFile, _ cancellation: Cancellation, _ progress: (Int) -> Void
  ) throws {
    let copy = try Self.connect(
      StoreFile.Opening(uri: StoreFile.uri(draft.path, ["mode=rw"])), path: draft.target, .writing)
    try database.use { from in
      try copy.use { to in
        // Nothing is lost with a draft.
        try to.run("PRAGMA synchronous = OFF")
        try to.run("PRAGMA journal_mode = OFF")
        try Self.copyPages(from: from, to: to, cancellation, progress)
      }
    }
    try copy.close()
  }

  private static func copyPages(
    from source: Connection, to copy: Connection, _ cancellation: Cancellation,
    _ progress: (Int) -> Void
  ) throws {
    guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main") else {
      throw copy.lastError(sqlite3_errcode(copy.handle))
    }
    defer { sqlite3_backup_finish(backup) }
    while true {
      let code = sqlite3_backup_step(backup, pagesAtOnce)
      switch code {
      case SQLITE_DONE: return
      case SQLITE_OK:
        try cancellation.check()
        let left = sqlite3_backup_remaining(backup)
        progress(Int(sqlite3_backup_pagecount(backup) - left))
      case SQLITE_BUSY, SQLITE_LOCKED: throw DatabaseError.locked(path: source.path)
      default:
        throw DatabaseError(
          code: code, message: String(cString: sqlite3_errstr(code)), path: copy.path)
      }
    }
  }

  /// 4 MiB of usual pages.
  private static let pagesAtOnce: CInt = 1024
}

extension Connection {
  /// The bytes of all pages.
  package func byteCount() throws(DatabaseError) -> Int64 {
    try integer("PRAGMA page_count") * integer("PRAGMA page_size")
  }

  /// SQLite's quick look at the whole file: structure, but not whether indexes agree with rows.
  ///
  /// - Throws: `DatabaseError.damaged` with the first finding.
  package func quickCheck(naming path: String? = nil) throws(DatabaseError) {
    guard let words = try check(.quick).first else { return }
    throw .damaged(path: path ?? self.path, message: words)
  }

  /// The bytes of each table with its indexes; nil where SQLite was built without `dbstat`. Reads every
  /// page.
  package func byteCounts() throws(DatabaseError) -> [String: Int64]? {
    guard try integer("SELECT count(*) FROM pragma_module_list WHERE name = 'dbstat'") > 0 else {
      return nil
    }
    var rows = try prepare(
      """
      SELECT m.tbl_name, sum(d.pgsize) FROM dbstat d JOIN sqlite_master m ON m.name = d.name \
      WHERE d.aggregate = TRUE GROUP BY 1
      """)
    var counts: [String: Int64] = [:]
    while try rows.step() { counts[rows.text(at: 0)] = rows.integer(at: 1) }
    return counts
  }
}
