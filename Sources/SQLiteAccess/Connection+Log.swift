import CSQLite

extension Connection {
  /// Makes SQLite leave the `-wal` when the connection closes: it would remove one in which it finds no frame, though
  /// the connection only reads.
  ///
  /// - Throws: `DatabaseError`
  package func keepLog() throws(DatabaseError) {
    var isKept: CInt = 1
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    guard code == SQLITE_OK else { throw lastError(code) }
  }
}
