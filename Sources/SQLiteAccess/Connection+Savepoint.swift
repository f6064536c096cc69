import CSQLite

extension Connection {
  /// Runs `body` as a part of the transaction that is open: when it throws, what it has written is taken back, and the
  /// transaction goes on.
  ///
  /// - Throws: what `body` throws; `DatabaseError`
  package func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    // One may lie within another of the same name: the innermost is meant.
    try run("SAVEPOINT part")
    do {
      let result = try body()
      try run("RELEASE part")
      return result
    } catch {
      // A full disk, or a statement that was interrupted, may have ended the transaction as a whole.
      if isInTransaction {
        try run("ROLLBACK TO part")
        try run("RELEASE part")
      }
      throw error
    }
  }

  /// Whether a transaction is open: SQLite ends it itself after some errors.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}
