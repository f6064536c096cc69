package import SQLiteAccess
package import StoreSQL

/// The indexes of a table, taken away while a large share of its rows changes, and made again
/// afterwards, from the very text that the store had for them.
///
/// Sorting all keys once is several times as fast as moving them one by one in an index whose order
/// is not that of the rows. A unique index checks all rows when it is made again.
///
///     let suspension = try IndexSuspension(on: "ZITEM", columns: ["ZDONE"], connection)
///     try suspension.drop(on: connection)
///     …
///     try suspension.rebuild(on: connection)
///
/// To be used within one transaction: a failure in between brings the indexes back.
package struct IndexSuspension: Hashable, Sendable {
  package struct Index: Hashable, Sendable {
    package var name: String
    /// The store's `CREATE INDEX`.
    package var definition: String
    /// Its rows in `sqlite_stat1`, where the store was analysed; they go with the index.
    var statistics: [[SQLiteValue]]

    package init(name: String, definition: String, statistics: [[SQLiteValue]]) {
      self.name = name
      self.definition = definition
      self.statistics = statistics
    }
  }

  /// In the order in which the store made them.
  package let indexes: [Index]

  /// - Parameter columns: only indexes that a change of these columns moves; nil for all indexes of
  ///   the table. Those that SQLite keeps for PRIMARY KEY and UNIQUE can't be taken away.
  /// - Throws: `DatabaseError`
  package init(
    on table: String, columns: Set<String>? = nil, _ connection: Connection
  ) throws(DatabaseError) {
    let isAnalysed = try connection.hasTable("sqlite_stat1")
    var found: [Index] = []
    let rows = try connection.rows(
      """
      SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL \
      AND tbl_name = \(value: .text(table)) ORDER BY rowid
      """)
    for row in rows {
      guard case .text(let name) = row[0], case .text(let definition) = row[1] else { continue }
      if let columns, try !connection.index(name, dependsOn: columns, of: table) { continue }
      let statistics =
        isAnalysed
        ? try connection.rows(
          "SELECT tbl, idx, stat FROM sqlite_stat1 WHERE idx = \(value: .text(name))") : []
      found.append(Index(name: name, definition: definition, statistics: statistics))
    }
    indexes = found
  }

  /// Whether one of them keeps values unique.
  package var isUnique: Bool {
    indexes.contains { $0.definition.uppercased().hasPrefix("CREATE UNIQUE ") }
  }

  /// The statements that take the indexes away.
  package var dropping: [SQL] { indexes.map { "DROP INDEX \(name: $0.name)" } }

  /// The statements that make them again.
  package var rebuilding: [SQL] {
    indexes.flatMap { index in
      // The store's own text, as SQLite's catalogue holds it.
      [SQL(segments: [.text(index.definition)])]
        + index.statistics.map { row in
          "INSERT INTO sqlite_stat1 VALUES (\(row.map(SQL.value).joined(", ")))"
        }
    }
  }

  package func drop(on connection: Connection) throws(DatabaseError) {
    for statement in dropping { try connection.run(statement) }
  }

  /// - Throws: `DatabaseError.constraint` when rows break a unique index; other `DatabaseError`s.
  package func rebuild(on connection: Connection) throws(DatabaseError) {
    for statement in rebuilding { try connection.run(statement) }
  }
}

extension Connection {
  /// Whether a change of the columns can move rows in the index: it holds one of them, or an
  /// expression or a condition that may speak of them.
  fileprivate func index(
    _ name: String, dependsOn columns: Set<String>, of table: String
  ) throws(DatabaseError) -> Bool {
    let partial = try integer(
      """
      SELECT partial FROM pragma_index_list(\(value: .text(table))) \
      WHERE name = \(value: .text(name))
      """)
    let parts = try rows("SELECT name FROM pragma_index_info(\(value: .text(name)))")
    return partial != 0
      || parts.contains { row in
        guard case .text(let column) = row[0] else { return true }
        return columns.contains(column)
      }
  }
}
