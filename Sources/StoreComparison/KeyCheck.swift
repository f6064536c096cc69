import SQLiteAccess

/// Whether a key tells the rows of an entity apart in one store.
struct KeyCheck: Sendable {
  private let entity: String
  private let sql: SQL
  private let lent: LentConnection

  /// Nil where rows are matched by object ID.
  init?(_ entity: ComparedEntity, _ side: SideQuery, in store: ComparedStore) {
    guard let sql = side.ambiguityCheck else { return nil }
    self.entity = entity.name
    self.sql = sql
    lent = LentConnection(connection: store.connection)
  }

  /// Looks at both stores at the same time.
  ///
  /// - Throws: as `run`.
  static func run(_ old: KeyCheck, _ new: KeyCheck) throws {
    let thread = WorkerThread(named: "storetool.keys") { try old.run() }
    let found = Result { try new.run() }
    try thread.join()
    try found.get()
  }

  /// - Throws: `ComparisonError.ambiguousKey` where a key is that of several rows; `DatabaseError`.
  private func run() throws {
    guard let found = try lent.connection.rows(sql).first else { return }
    throw ComparisonError.ambiguousKey(
      entity: entity, values: found.dropFirst().map(\.shownAsKey),
      rowCount: found[0].integer ?? 0, path: lent.connection.path)
  }
}

extension SQLiteValue {
  fileprivate var shownAsKey: String {
    switch self {
    case .text(let text): "\"\(text)\""
    case .null, .integer, .real, .blob: literal
    }
  }
}
