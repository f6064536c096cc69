package import SQLiteAccess

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
  /// - Throws: `StoreLayoutError.unknownHistory` for tables that lack a column we would have to fill.
  package init?(_ connection: Connection) throws {
    var columns: [String: [String]] = [:]
    for table in HistoryTable.all { columns[table] = try connection.columnNames(of: table) }
    let needed = Self.needed { columns[$0] ?? [] }
    guard !needed.isEmpty else { return nil }
    for (table, names) in needed {
      guard let missing = names.first(where: { columns[table]?.contains($0) != true }) else {
        continue
      }
      throw StoreLayoutError.unknownHistory(path: connection.path, table: table, column: missing)
    }
    keepsStrings = columns[HistoryTable.strings]?.isEmpty == false
    tombstoneCount = HistoryColumn.tombstoneCount(among: columns[HistoryTable.changes] ?? [])
  }

  /// The columns that a history needs; none where there is no table of it.
  ///
  /// - Parameter columns: those of a table, none for one that is not there.
  static func needed(
    _ columns: (_ table: String) -> [String]
  ) -> [(table: String, columns: [String])] {
    let transactions = columns(HistoryTable.transactions)
    guard !transactions.isEmpty || !columns(HistoryTable.changes).isEmpty else { return [] }
    let references = HistoryColumn.origins.map { $0 + HistoryColumn.reference }
    // One that refers to texts needs them.
    let hasStrings =
      !columns(HistoryTable.strings).isEmpty || transactions.contains { references.contains($0) }
    let origins = hasStrings ? references : HistoryColumn.origins
    return [
      (HistoryTable.changes, HistoryColumn.ofChanges),
      (HistoryTable.transactions, [HistoryColumn.timestamp] + origins),
    ] + (hasStrings ? [(HistoryTable.strings, [HistoryColumn.name])] : [])
  }
}

/// The columns of the history's tables.
package enum HistoryColumn {
  package static let kind = "ZCHANGETYPE"
  package static let entity = "ZENTITY"
  package static let key = "ZENTITYPK"
  package static let transaction = "ZTRANSACTIONID"
  package static let mask = "ZCOLUMNS"
  package static let timestamp = "ZTIMESTAMP"
  package static let name = "ZNAME"

  private static let tombstonePrefix = "ZTOMBSTONE"

  /// The column of a deleted row's preserved attribute, by its number among them.
  package static func tombstone(_ number: Int) -> String { tombstonePrefix + String(number) }

  /// How many of those there are from the first one on: those behind a gap belong to no attribute.
  package static func tombstoneCount(among columns: [String]) -> Int {
    let names = Set(columns)
    return (0...columns.count).first { !names.contains(tombstone($0)) } ?? 0
  }

  static let ofChanges = [kind, entity, key, transaction, mask]
  /// In the order of `HistoryOrigin.texts`.
  package static let origins = ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"]
  /// Follows the name of a column whose text stands in `ATRANSACTIONSTRING`.
  package static let reference = "TS"
}

/// The entities that the history's rows belong to, in every store that has some.
package enum HistoryEntity: Int64, CaseIterable {
  case change = 16001
  case transaction = 16002
  case string = 16003

  /// A model's entities are numbered below it.
  package static let first = change.rawValue

  /// `Z_NAME`
  package var name: String {
    switch self {
    case .change: "CHANGE"
    case .transaction: "TRANSACTION"
    case .string: "TRANSACTIONSTRING"
    }
  }

  package var table: String {
    switch self {
    case .change: HistoryTable.changes
    case .transaction: HistoryTable.transactions
    case .string: HistoryTable.strings
    }
  }
}
