import CSQLite
package import StoreDiagnostics

extension Connection {
  /// Copies all pages into another database, rows in the `-wal` included.
  ///
  /// - Parameter progress: called with the pages that are copied.
  /// - Throws: `DatabaseError`, `Cancelled`.
  package func copyPages(
    to copy: Connection, _ cancellation: Cancellation, progress: (Int) -> Void
  ) throws {
    guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
      throw copy.lastError(sqlite3_errcode(copy.handle))
    }
    defer { sqlite3_backup_finish(backup) }
    while true {
      let code = sqlite3_backup_step(backup, Self.pagesAtOnce)
      switch code {
      case SQLITE_DONE: return
      case SQLITE_OK:
        try cancellation.check()
        let left = sqlite3_backup_remaining(backup)
        progress(Int(sqlite3_backup_pagecount(backup) - left))
      case SQLITE_BUSY, SQLITE_LOCKED: throw DatabaseError.locked(path: path)
      default:
        throw DatabaseError(
          code: code, message: String(cString: sqlite3_errstr(code)), path: copy.path)
      }
    }
  }

  /// 4 MiB of usual pages.
  private static let pagesAtOnce: CInt = 1024
}
