import CSQLite

extension Connection {
  /// Runs SQL that a person has written, of one statement or more, within our transaction: it can't
  /// end that, nor open other files.
  ///
  /// - Throws: `DatabaseError`; `DatabaseError.noPermission` for a statement that is not allowed.
  package func runScript(_ text: String) throws(DatabaseError) {
    sqlite3_set_authorizer(
      handle,
      { _, action, _, _, _, _ in
        switch action {
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH: SQLITE_DENY
        default: SQLITE_OK
        }
      }, nil)
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    let code = sqlite3_exec(handle, text, nil, nil, nil)
    guard code == SQLITE_OK else { throw lastError(sqlite3_extended_errcode(handle)) }
  }
}
