package import SQLiteAccess
import StoreDiagnostics

/// The indexes of a table that are dropped while a large share of its rows changes, and are created again afterwards
/// with the same statements.
///
/// Sorting all keys once is several times as fast as changing the entries of an index one by one. When a unique index
/// is created again, SQLite checks all rows.
///
///     let suspension = try IndexSuspension(on: "ZITEM", columns: ["ZDONE"], connection)
///     try suspension.drop(on: connection)
///     …
///     try suspension.rebuild(on: connection)
///
/// It must be used in one transaction, so that an error restores the indexes.
package struct IndexSuspension: Hashable, Sendable {
  package struct Index: Hashable, Sendable {
    package var name: String
    /// The `CREATE INDEX` statement in the store.
    package var definition: String
    /// The rows in `sqlite_stat1`, if the store was analyzed. They are removed with the index.
    var statistics: [[SQLiteValue]]
  }

  /// The indexes in the order of their creation.
  package let indexes: [Index]

  /// - Parameter columns: the columns that change. Only indexes that depend on them are included. If it is nil, all
  ///   indexes of the table are included. SQLite's own indexes for PRIMARY KEY and UNIQUE are never included, because
  ///   they can't be dropped.
  /// - Throws: `DatabaseError`
  package init(
    on table: String, columns: Set<String>? = nil, _ connection: Connection
  ) throws(DatabaseError) {
    let isAnalysed = try connection.fact(TableExists("sqlite_stat1"))
    var found: [Index] = []
    for index in try connection.fact(IndexesOfTable(table)) {
      guard let definition = index.definition, columns.map(index.depends) ?? true else { continue }
      let statistics =
        isAnalysed
        ? try connection.rows(
          "SELECT tbl, idx, stat FROM sqlite_stat1 WHERE idx = \(value: .text(index.name))") : []
      found.append(Index(name: index.name, definition: definition, statistics: statistics))
    }
    indexes = found
  }

  package var isUnique: Bool {
    indexes.contains { $0.definition.uppercased().hasPrefix("CREATE UNIQUE ") }
  }

  package var dropping: [SQL] { indexes.map { "DROP INDEX \(name: $0.name)" } }

  package var rebuilding: [SQL] { indexes.flatMap(\.rebuilding) }

  package func drop(on connection: Connection) throws(DatabaseError) {
    for statement in dropping { try connection.run(statement) }
  }

  /// - Parameter willMake: is called before each index is created.
  /// - Throws: `DatabaseError.constraint` if rows violate a unique index; other `DatabaseError`s.
  package func rebuild(
    on connection: Connection, willMake: (WorkStep) -> Void = { _ in }
  ) throws(DatabaseError) {
    for (place, index) in indexes.enumerated() {
      willMake(
        WorkStep(
          "recreating index \(place + 1) of \(indexes.count), \(index.name)", number: place + 1,
          of: indexes.count))
      for statement in index.rebuilding { try connection.run(statement) }
    }
  }
}

extension IndexSuspension.Index {
  fileprivate var rebuilding: [SQL] {
    // The definition is already SQL text.
    [SQL(segments: [.text(definition)])]
      + statistics.map { row in
        "INSERT INTO sqlite_stat1 VALUES (\(row.map(SQL.value).joined(", ")))"
      }
  }
}

/// A step of a long operation, which is shown as progress.
package struct WorkStep: Hashable, Sendable {
  /// The description, such as `check 3 of 40`.
  package var purpose: String
  /// The completed fraction of the work from 0 to 1, or nil if it is unknown.
  package var share: Double?

  package init(_ purpose: String, share: Double? = nil) {
    self.purpose = purpose
    self.share = share
  }

  /// Creates one of several steps of similar length.
  ///
  /// - Parameter number: the number of the step, counted from 1.
  package init(_ purpose: String, number: Int, of count: Int) {
    self.init(purpose, share: Double(number - 1) / Double(max(count, 1)))
  }
}
