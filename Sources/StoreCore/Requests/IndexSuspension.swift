package import SQLiteAccess
import StoreDiagnostics

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
    for index in try connection.databaseSchema(of: table).tables[table]?.indexes ?? [] {
      guard let definition = index.definition, columns.map(index.depends) ?? true else { continue }
      let statistics =
        isAnalysed
        ? try connection.rows(
          "SELECT tbl, idx, stat FROM sqlite_stat1 WHERE idx = \(value: .text(index.name))") : []
      found.append(Index(name: index.name, definition: definition, statistics: statistics))
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
  package var rebuilding: [SQL] { indexes.flatMap(\.rebuilding) }

  package func drop(on connection: Connection) throws(DatabaseError) {
    for statement in dropping { try connection.run(statement) }
  }

  /// - Parameter willMake: told of each index before it is made.
  /// - Throws: `DatabaseError.constraint` when rows break a unique index; other `DatabaseError`s.
  package func rebuild(
    on connection: Connection, willMake: (WorkStep) -> Void = { _ in }
  ) throws(DatabaseError) {
    for (place, index) in indexes.enumerated() {
      willMake(
        WorkStep(
          "makes index \(place + 1) of \(indexes.count) again, \(index.name)", number: place + 1,
          of: indexes.count))
      for statement in index.rebuilding { try connection.run(statement) }
    }
  }
}

extension IndexSuspension.Index {
  fileprivate var rebuilding: [SQL] {
    // The store's own text, as SQLite's schema holds it.
    [SQL(segments: [.text(definition)])]
      + statistics.map { row in
        "INSERT INTO sqlite_stat1 VALUES (\(row.map(SQL.value).joined(", ")))"
      }
  }
}

/// What long work does next, for people who wait.
package struct WorkStep: Hashable, Sendable {
  /// `checks 3 of 40`
  package var purpose: String
  /// How much of the work lies behind, from 0 to 1; nil where nobody knows.
  package var share: Double?

  package init(_ purpose: String, share: Double? = nil) {
    self.purpose = purpose
    self.share = share
  }

  /// One of several of about equal length.
  ///
  /// - Parameter number: from 1 on.
  package init(_ purpose: String, number: Int, of count: Int) {
    self.init(purpose, share: Double(number - 1) / Double(max(count, 1)))
  }
}
