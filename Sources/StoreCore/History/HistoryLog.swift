package import SQLiteAccess
import StoreLayout
import StorePredicate

/// A bound in the history of a store: the number of a transaction, or a date.
package enum HistoryBound: Hashable, Sendable {
  case transaction(Int64)
  /// Seconds since 2001.
  case date(Double)

  /// Reads a number such as `1042`, or an ISO 8601 date. Nil for other text.
  package init?(_ text: String) {
    if let number = Int64(text) {
      self = .transaction(number)
    } else if let seconds = ISODate.seconds(text) {
      self = .date(seconds)
    } else {
      return nil
    }
  }

  /// The text that the initializer reads.
  package var text: String {
    switch self {
    case .transaction(let number): "\(number)"
    case .date(let seconds): ISODate.text(seconds) ?? "\(seconds)"
    }
  }

  /// The condition for transactions `t` after the bound: with a greater number, or at the date or later.
  fileprivate var isFollowed: SQL { compared(number: ">", date: ">=") }

  /// The condition for transactions `t` before the bound.
  fileprivate var isPreceded: SQL { compared(number: "<", date: "<") }

  private func compared(number isNumber: SQL, date isDate: SQL) -> SQL {
    switch self {
    case .transaction(let number):
      "t.\(name: FixedColumn.primaryKey) \(isNumber) \(value: .integer(number))"
    case .date(let date): "t.\(name: HistoryColumn.timestamp) \(isDate) \(value: .real(date))"
    }
  }
}

/// Reads and prunes the persistent history of a store (docs/formats/history.md).
package struct HistoryLog {
  private let connection: Connection
  private let format: HistoryFormat

  /// - Throws: `StoreLayoutError.noHistory`, `StoreLayoutError.unknownHistory`, `DatabaseError`.
  package init(_ connection: Connection) throws {
    guard let format = try HistoryFormat(connection) else {
      throw StoreLayoutError.noHistory(path: connection.path)
    }
    self.connection = connection
    self.format = format
  }

  package struct Transaction: Hashable, Sendable {
    /// The number, which is also the token of the transaction. A reader that has the token reads the transactions after
    /// it.
    package var number: Int64
    package var origin: HistoryOrigin
    /// The numbers of changes by kind, including 0 for a kind that doesn't occur.
    package var counts: [ChangeKind: Int64]
  }

  package struct Change: Hashable, Sendable {
    package var number: Int64
    package var transaction: Int64
    package var timestamp: Double
    /// Nil for a number that Core Data doesn't use.
    package var kind: ChangeKind?
    package var entity: Int64
    package var key: Int64
    /// The bit mask of the properties that an update changed.
    package var mask: [UInt8]?
    /// The preserved values of a deleted row: the tombstone columns that aren't NULL, by the number of the column.
    package var preserved: [Int: SQLiteValue] = [:]
  }

  /// Returns the transactions after a bound, or all transactions if it is nil, in the order of their numbers.
  ///
  /// - Parameter limit: the maximum number of transactions, or nil for no limit.
  package func transactions(
    since bound: HistoryBound?, limit: Int? = nil
  ) throws(DatabaseError) -> [Transaction] {
    try transactions(where: bound?.isFollowed ?? "TRUE", limit: limit)
  }

  /// Returns a transaction, or nil if it doesn't exist any more.
  package func transaction(_ number: Int64) throws(DatabaseError) -> Transaction? {
    try transactions(where: "t.\(name: FixedColumn.primaryKey) = \(value: .integer(number))").first
  }

  private func transactions(
    where condition: SQL, limit: Int? = nil
  ) throws(DatabaseError) -> [Transaction] {
    let counts = ChangeKind.allCases.map { kind -> SQL in
      "sum(c.\(name: HistoryColumn.kind) = \(value: .integer(kind.rawValue)))"
    }
    let rows = try connection.rows(
      """
      SELECT t.\(name: FixedColumn.primaryKey), t.\(name: HistoryColumn.timestamp), \
      \((origins + counts).joined(", ")) FROM \(name: HistoryTable.transactions) AS t \
      LEFT JOIN \(name: HistoryTable.changes) AS c \
      ON c.\(name: HistoryColumn.transaction) = t.\(name: FixedColumn.primaryKey) \
      WHERE \(condition) GROUP BY 1 ORDER BY 1 LIMIT \(value: .integer(Int64(limit ?? -1)))
      """)
    return rows.map { row in
      let numbers = row.suffix(counts.count).map { $0.integer ?? 0 }
      return Transaction(
        number: row[0].integer ?? 0,
        origin: HistoryOrigin(
          author: row[2].text, bundle: row[3].text, context: row[4].text, process: row[5].text,
          timestamp: row[1].number ?? 0),
        counts: Dictionary(uniqueKeysWithValues: zip(ChangeKind.allCases, numbers)))
    }
  }

  /// The expressions for the author, bundle, context and process of the transaction `t`. Depending on the version of
  /// Core Data that created the history, its row contains the texts or refers to them.
  private var origins: [SQL] {
    HistoryColumn.origins.map { column in
      guard format.keepsStrings else { return "t.\(name: column)" }
      return """
        (SELECT \(name: HistoryColumn.name) FROM \(name: HistoryTable.strings) AS s \
        WHERE s.\(name: FixedColumn.primaryKey) = t.\(name: column + HistoryColumn.reference))
        """
    }
  }

  package enum ChangeOrder {
    /// By entity and row, then by transaction.
    case byRow
    case byTransaction
  }

  /// Calls `body` with each change after a bound, or with all changes if it is nil.
  ///
  /// - Parameter last: the number of the last transaction whose changes are read. By default, all are read.
  package func forEachChange(
    since bound: HistoryBound?, upTo last: Int64 = .max, in order: ChangeOrder = .byTransaction,
    _ body: (Change) throws -> Void
  ) throws {
    let isFollowed: SQL = bound?.isFollowed ?? "TRUE"
    try forEachChange(
      where: "\(isFollowed) AND t.\(name: FixedColumn.primaryKey) <= \(value: .integer(last))",
      orderedBy: order == .byRow ? "5, 6, 2, 1" : "2, 1", body)
  }

  /// Returns the changes of a row in the order of transactions.
  ///
  /// - Parameter entity: the number of the entity.
  package func changes(ofRow key: Int64, of entity: Int64) throws -> [Change] {
    var found: [Change] = []
    let condition: SQL = """
      c.\(name: HistoryColumn.entity) = \(value: .integer(entity)) \
      AND c.\(name: HistoryColumn.key) = \(value: .integer(key))
      """
    try forEachChange(where: condition, orderedBy: "2, 1") { found.append($0) }
    return found
  }

  private func forEachChange(
    where condition: SQL, orderedBy columns: SQL, _ body: (Change) throws -> Void
  ) throws {
    let tombstones = (0..<format.tombstoneCount).map { number -> SQL in
      ", c.\(name: HistoryColumn.tombstone(number))"
    }
    var statement = try connection.prepare(
      """
      SELECT c.\(name: FixedColumn.primaryKey), t.\(name: FixedColumn.primaryKey), \
      t.\(name: HistoryColumn.timestamp), c.\(name: HistoryColumn.kind), \
      c.\(name: HistoryColumn.entity), c.\(name: HistoryColumn.key), c.\(name: HistoryColumn.mask)\
      \(tombstones.joined("")) FROM \(name: HistoryTable.transactions) AS t JOIN \(name: HistoryTable.changes) AS c \
      ON c.\(name: HistoryColumn.transaction) = t.\(name: FixedColumn.primaryKey) \
      WHERE \(condition) ORDER BY \(columns)
      """)
    while try statement.step() {
      try body(
        Change(
          number: statement.integer(at: 0), transaction: statement.integer(at: 1),
          timestamp: statement.real(at: 2), kind: ChangeKind(rawValue: statement.integer(at: 3)),
          entity: statement.integer(at: 4), key: statement.integer(at: 5),
          mask: statement.isNull(at: 6) ? nil : statement.bytes(at: 6),
          preserved: preserved(from: statement)))
    }
  }

  private func preserved(from statement: borrowing Statement) -> [Int: SQLiteValue] {
    let values = (0..<format.tombstoneCount).map { ($0, statement.value(at: Int32(7 + $0))) }
    return Dictionary(uniqueKeysWithValues: values.filter { $0.1 != .null })
  }

  /// Returns the oldest existing transaction, or nil if there is none.
  package func firstTransaction() throws(DatabaseError) -> Transaction? {
    try transactions(
      where: """
        t.\(name: FixedColumn.primaryKey) = \
        (SELECT min(\(name: FixedColumn.primaryKey)) FROM \(name: HistoryTable.transactions))
        """
    ).first
  }

  /// Returns whether transactions after a bound can have been pruned.
  package func isPruned(since bound: HistoryBound) throws(DatabaseError) -> Bool {
    let last = try lastTransaction()
    guard let first = try firstTransaction() else {
      guard case .transaction(let number) = bound else { return last > 0 }
      return number < last
    }
    switch bound {
    case .transaction(let number): return first.number > number + 1
    case .date(let date): return first.number > 1 && first.origin.timestamp >= date
    }
  }

  /// Returns the highest number that a transaction ever had, even if the transaction was pruned. Returns 0 if there was
  /// none.
  package func lastTransaction() throws(DatabaseError) -> Int64 {
    try connection.highestHistoryKey(of: .transaction)
  }

  /// The numbers of changes to the rows of an entity, by kind. A kind that doesn't occur is missing.
  package struct EntityCount: Hashable, Sendable {
    package var entity: Int64
    package var counts: [ChangeKind: Int64]
  }

  /// Returns the numbers of changes after a bound, in the order of the entities' numbers.
  package func statistics(since bound: HistoryBound?) throws(DatabaseError) -> [EntityCount] {
    let rows = try connection.rows(
      """
      SELECT c.\(name: HistoryColumn.entity), c.\(name: HistoryColumn.kind), count(*) \
      FROM \(name: HistoryTable.changes) AS c JOIN \(name: HistoryTable.transactions) AS t \
      ON c.\(name: HistoryColumn.transaction) = t.\(name: FixedColumn.primaryKey) \
      WHERE \(bound?.isFollowed ?? "TRUE") GROUP BY 1, 2 ORDER BY 1, 2
      """)
    var found: [EntityCount] = []
    for row in rows {
      guard let entity = row[0].integer, let kind = ChangeKind(rawValue: row[1].integer ?? -1)
      else { continue }
      if found.last?.entity != entity { found.append(EntityCount(entity: entity, counts: [:])) }
      found[found.count - 1].counts[kind] = row[2].integer
    }
    return found
  }

  /// The numbers of transactions and changes that `prune` removed, or would remove.
  package struct Pruned: Hashable, Sendable {
    package var transactions: Int64
    package var changes: Int64
  }

  package func countBefore(_ bound: HistoryBound) throws(DatabaseError) -> Pruned {
    Pruned(
      transactions: try connection.integer("SELECT count(*) FROM (\(keys(before: bound)))"),
      changes: try connection.integer(
        """
        SELECT count(*) FROM \(name: HistoryTable.changes) \
        WHERE \(name: HistoryColumn.transaction) IN (\(keys(before: bound)))
        """))
  }

  /// Removes the transactions before a bound, with their changes. As in Core Data, the counters remain, so that tokens
  /// are never reused. The texts of authors remain too. Must be called in a write transaction.
  package func prune(before bound: HistoryBound) throws(DatabaseError) -> Pruned {
    let changes = try connection.run(
      """
      DELETE FROM \(name: HistoryTable.changes) \
      WHERE \(name: HistoryColumn.transaction) IN (\(keys(before: bound)))
      """)
    let transactions = try connection.run(
      """
      DELETE FROM \(name: HistoryTable.transactions) \
      WHERE \(name: FixedColumn.primaryKey) IN (\(keys(before: bound)))
      """)
    return Pruned(transactions: Int64(transactions), changes: Int64(changes))
  }

  private func keys(before bound: HistoryBound) -> SQL {
    """
    SELECT t.\(name: FixedColumn.primaryKey) FROM \(name: HistoryTable.transactions) AS t \
    WHERE \(bound.isPreceded)
    """
  }
}

extension SQLiteValue {
  /// The numeric value. The timestamp's column has NUMERIC affinity, so SQLite stores whole seconds as an integer.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .text, .blob: nil
    }
  }
}
