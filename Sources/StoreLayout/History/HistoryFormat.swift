package import SQLiteAccess

/// The format of a store's persistent history (docs/formats/history.md).
package struct HistoryFormat: Hashable, Sendable {
  /// Whether the author, bundle, context and process of a transaction are in a separate table. Framework versions of
  /// Core Data before 977 store them in the transaction's row.
  package var keepsStrings: Bool
  /// The number of `ZTOMBSTONE<n>` columns for values of deleted rows.
  package var tombstoneCount: Int

  /// Reads the format. Returns nil if the store has no history: neither a table of changes nor a table of transactions.
  /// A store with empty tables has a history, because the app that created them opens the store with history tracking.
  ///
  /// - Throws: `StoreLayoutError.unknownHistory` if a table lacks a column that must be written; `DatabaseError`
  package init?(_ connection: Connection) throws {
    guard let format = try connection.fact(HistoryOfStore()).get() else { return nil }
    self = format
  }

  /// - Returns: nil if the store has no history, or the error of an unknown history.
  fileprivate static func read(
    on connection: Connection
  ) throws(DatabaseError) -> Result<HistoryFormat?, StoreLayoutError> {
    var columns: [String: [String]] = [:]
    for table in HistoryTable.all { columns[table] = try connection.columnNames(of: table) }
    let needed = Self.needed { columns[$0] ?? [] }
    guard !needed.isEmpty else { return .success(nil) }
    for (table, names) in needed {
      guard let missing = names.first(where: { columns[table]?.contains($0) != true }) else {
        continue
      }
      return .failure(.unknownHistory(path: connection.path, table: table, column: missing))
    }
    return .success(
      HistoryFormat(
        keepsStrings: columns[HistoryTable.strings]?.isEmpty == false,
        tombstoneCount: HistoryColumn.tombstoneCount(among: columns[HistoryTable.changes] ?? [])))
  }

  private init(keepsStrings: Bool, tombstoneCount: Int) {
    (self.keepsStrings, self.tombstoneCount) = (keepsStrings, tombstoneCount)
  }

  /// Returns the tables and columns that must exist for recording history, or an empty array if the store has no
  /// history.
  ///
  /// - Parameter columns: returns the columns of a table, or an empty array for a missing table.
  static func needed(
    _ columns: (_ table: String) -> [String]
  ) -> [(table: String, columns: [String])] {
    let transactions = columns(HistoryTable.transactions)
    guard !transactions.isEmpty || !columns(HistoryTable.changes).isEmpty else { return [] }
    let references = HistoryColumn.origins.map { $0 + HistoryColumn.reference }
    // If transactions have columns that refer to texts, the table of texts is required.
    let hasStrings =
      !columns(HistoryTable.strings).isEmpty || transactions.contains { references.contains($0) }
    let origins = hasStrings ? references : HistoryColumn.origins
    return [
      (HistoryTable.changes, HistoryColumn.ofChanges),
      (HistoryTable.transactions, [HistoryColumn.timestamp] + origins),
    ] + (hasStrings ? [(HistoryTable.strings, [HistoryColumn.name])] : [])
  }
}

/// The format of the store's history.
private struct HistoryOfStore: SchemaFact {
  func read(
    on connection: Connection
  ) throws(DatabaseError) -> Result<HistoryFormat?, StoreLayoutError> {
    try HistoryFormat.read(on: connection)
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

  /// Returns the name of the column with this number, for a preserved attribute of deleted rows.
  package static func tombstone(_ number: Int) -> String { tombstonePrefix + String(number) }

  /// Returns how many of the columns `ZTOMBSTONE0`, `ZTOMBSTONE1` and so on exist before the first missing number.
  package static func tombstoneCount(among columns: [String]) -> Int {
    let names = Set(columns)
    return (0...columns.count).first { !names.contains(tombstone($0)) } ?? 0
  }

  static let ofChanges = [kind, entity, key, transaction, mask]
  /// The columns in the order of `HistoryOrigin.texts`.
  package static let origins = ["ZAUTHOR", "ZBUNDLEID", "ZCONTEXTNAME", "ZPROCESSID"]
  /// The suffix of a column whose text is in `ATRANSACTIONSTRING`.
  package static let reference = "TS"
}

/// The entities of the history's rows. Their numbers are the same in all stores with a history.
package enum HistoryEntity: Int64, CaseIterable {
  case change = 16001
  case transaction = 16002
  case string = 16003

  /// The first number. The entities of a model have lower numbers.
  package static let first = change.rawValue

  /// The `Z_NAME`.
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
