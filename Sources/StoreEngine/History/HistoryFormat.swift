/// How a store keeps its persistent history (docs/formats/history.md).
package struct HistoryFormat: Hashable, Sendable {
  /// Author, bundle, context and process stand in a table of their own; before fw 977 they stood in
  /// the transaction's row.
  package var keepsStrings: Bool
  /// How many `ZTOMBSTONE<n>` columns there are for values of deleted rows.
  package var tombstoneCount: Int

  /// Nil when the store keeps no history: it has no table for it. Empty tables are kept up, since an
  /// app that made them opens the store with tracking on.
  ///
  /// - Throws: `StoreError.unknownHistory` for tables that lack a column we would have to fill.
  package init?(_ connection: Connection) throws(StoreError) {
    let changes = try connection.columnNames(of: HistoryTable.changes)
    let transactions = try connection.columnNames(of: HistoryTable.transactions)
    guard !changes.isEmpty || !transactions.isEmpty else { return nil }
    let strings = try connection.columnNames(of: HistoryTable.strings)
    keepsStrings = !strings.isEmpty
    tombstoneCount = changes.count(where: HistoryColumn.isTombstone)
    let origins = HistoryColumn.origins.map { keepsStrings ? $0 + HistoryColumn.reference : $0 }
    let needed = [
      (HistoryTable.changes, changes, HistoryColumn.ofChanges),
      (HistoryTable.transactions, transactions, [HistoryColumn.timestamp] + origins),
    ]
    for (table, present, columns) in needed {
      guard let missing = columns.first(where: { !present.contains($0) }) else { continue }
      throw .unknownHistory(path: connection.path, table: table, column: missing)
    }
  }
}

/// The columns of the history's tables.
package enum HistoryColumn {
  package static let kind = "ZCHANGETYPE"
  package static let entity = "ZENTITY"
  package static let key = "ZENTITYPK"
  static let transaction = "ZTRANSACTIONID"
  package static let mask = "ZCOLUMNS"
  static let timestamp = "ZTIMESTAMP"
  static let name = "ZNAME"

  private static let tombstonePrefix = "ZTOMBSTONE"

  /// The column of a deleted row's preserved attribute, by its number among them.
  package static func tombstone(_ number: Int) -> String { tombstonePrefix + String(number) }

  package static func isTombstone(_ column: String) -> Bool { column.hasPrefix(tombstonePrefix) }

  static let ofChanges = [kind, entity, key, transaction, mask]
  /// In the order of `HistoryOrigin.texts`.
  static let origins = ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"]
  /// Follows the name of a column whose text stands in `ATRANSACTIONSTRING`.
  static let reference = "TS"
}

/// The entities that the history's rows belong to, in every store that has some.
package enum HistoryEntity: Int64, CaseIterable {
  case change = 16001
  case transaction = 16002
  case string = 16003

  /// A model's entities are numbered below it.
  package static let first = change.rawValue

  /// `Z_NAME`
  var name: String {
    switch self {
    case .change: "CHANGE"
    case .transaction: "TRANSACTION"
    case .string: "TRANSACTIONSTRING"
    }
  }

  var table: String {
    switch self {
    case .change: HistoryTable.changes
    case .transaction: HistoryTable.transactions
    case .string: HistoryTable.strings
    }
  }
}

extension Connection {
  /// Empty when there is no such table.
  package func columnNames(of table: String) throws(StoreError) -> [String] {
    var statement = try prepare(
      "SELECT name FROM pragma_table_info(\(value: .text(table))) ORDER BY cid")
    var names: [String] = []
    while try statement.step() { names.append(statement.text(at: 0)) }
    return names
  }
}
