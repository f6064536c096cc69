import CSQLite

extension Connection {
  /// What a statement, or a trigger that it fires, would do to a table of the database.
  package enum Write: Hashable, Sendable {
    case insert(table: String)
    case update(table: String, column: String)
    case delete(table: String)
  }

  /// Asks, while `body` runs, about all that each of its statements would write, when SQLite compiles it.
  ///
  /// - Throws: what `body` throws; `DatabaseError.noPermission` for a statement that is refused.
  package func authorizing<Result>(
    _ isAllowed: (Write) -> Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    try withoutActuallyEscaping(isAllowed) { isAllowed in
      let authorizer = Authorizer(isAllowed)
      sqlite3_set_authorizer(
        handle,
        { context, action, table, column, database, _ in
          guard let context, let table, let database, String(cString: database) == "main",
            let write = Write(action, String(cString: table), column.map { String(cString: $0) })
          else { return SQLITE_OK }
          return Unmanaged<Authorizer>.fromOpaque(context)._withUnsafeGuaranteedRef {
            $0.isAllowed(write) ? SQLITE_OK : SQLITE_DENY
          }
        }, Unmanaged.passUnretained(authorizer).toOpaque())
      defer { sqlite3_set_authorizer(handle, nil, nil) }
      return try withExtendedLifetime(authorizer) { try body() }
    }
  }
}

extension Connection.Write {
  fileprivate init?(_ action: CInt, _ table: String, _ column: String?) {
    switch action {
    case SQLITE_INSERT: self = .insert(table: table)
    case SQLITE_UPDATE: self = .update(table: table, column: column ?? "")
    case SQLITE_DELETE: self = .delete(table: table)
    default: return nil
    }
  }
}

private final class Authorizer {
  let isAllowed: (Connection.Write) -> Bool

  init(_ isAllowed: @escaping (Connection.Write) -> Bool) {
    self.isAllowed = isAllowed
  }
}
