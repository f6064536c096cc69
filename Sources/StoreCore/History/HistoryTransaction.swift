package import SQLiteAccess
import StoreLayout

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Connection {
  /// Inserts a row of `ATRANSACTION`.
  func writeTransaction(
    _ key: Int64, _ origin: HistoryOrigin, _ format: HistoryFormat
  ) throws(DatabaseError) {
    var columns = [FixedColumn.primaryKey, FixedColumn.entity, HistoryColumn.timestamp]
    var values: [SQLiteValue] = [
      .integer(key), .integer(HistoryEntity.transaction.rawValue), .real(origin.timestamp),
    ]
    for (column, text) in zip(HistoryColumn.origins, origin.texts) {
      guard let text else { continue }
      if format.keepsStrings {
        columns.append(column + HistoryColumn.reference)
        values.append(.integer(try historyString(text)))
      } else {
        columns.append(column)
        values.append(.text(text))
      }
    }
    try run(
      """
      INSERT INTO \(name: HistoryTable.transactions) (\(columns.map(SQL.name).joined(", "))) \
      VALUES (\(values.map(SQL.value).joined(", ")))
      """)
    try raiseHistoryCounter(of: .transaction, to: key)
  }

  /// Returns the highest key of the entity that was ever used.
  ///
  /// - Throws: `DatabaseError.damaged` if the next keys might not fit in 64 bits.
  func highestHistoryKey(of entity: HistoryEntity) throws(DatabaseError) -> Int64 {
    let highest = try highestKey(ofEntity: entity.rawValue, in: entity.table)
    guard highest <= KeyRange.limit else {
      throw .damaged(
        path: path, message: "the highest key of \(entity.table) is too large for further rows")
    }
    return highest
  }

  func raiseHistoryCounter(of entity: HistoryEntity, to key: Int64) throws(DatabaseError) {
    try run(entity.raisingCounter(to: .value(.integer(key))))
  }

  /// Returns the key of a text in `ATRANSACTIONSTRING`, which contains each text once. Inserts a missing text.
  fileprivate func historyString(_ text: String) throws(DatabaseError) -> Int64 {
    let known = try integer(
      """
      SELECT \(name: FixedColumn.primaryKey) FROM \(name: HistoryTable.strings) \
      WHERE \(name: HistoryColumn.name) = \(value: .text(text))
      """)
    guard known == 0 else { return known }
    let key = try highestHistoryKey(of: .string) + 1
    try run(
      """
      INSERT INTO \(name: HistoryTable.strings) \
      (\(name: FixedColumn.primaryKey), \(name: FixedColumn.entity), \(name: HistoryColumn.name)) \
      VALUES (\(value: .integer(key)), \(value: .integer(HistoryEntity.string.rawValue)), \
      \(value: .text(text)))
      """)
    try raiseHistoryCounter(of: .string, to: key)
    return key
  }
}

extension HistoryEntity {
  /// Returns the statement that raises the entity's counter in `Z_PRIMARYKEY` to `key`. It inserts a missing counter,
  /// because the table contains entities of the history only after their first row.
  package func raisingCounter(to key: SQL) -> SQL {
    let columns = [
      FixedColumn.entity, FixedColumn.entityName, FixedColumn.parent, FixedColumn.highestKey,
    ]
    let highest = SQL.name(FixedColumn.highestKey)
    return """
      INSERT INTO \(name: FixedTable.primaryKeys) (\(columns.map(SQL.name).joined(", "))) \
      VALUES (\(value: .integer(rawValue)), \(value: .text(name)), 0, \(key)) \
      ON CONFLICT (\(name: FixedColumn.entity)) DO UPDATE SET \
      \(highest) = max(coalesce(\(highest), 0), \(.name("excluded", FixedColumn.highestKey)))
      """
  }
}

/// The author and time of a transaction.
package struct HistoryOrigin: Hashable, Sendable {
  package var author: String?
  package var bundle: String?
  package var context: String?
  package var process: String?
  /// Seconds since 2001.
  package var timestamp: Double

  /// A transaction of storetool at the current time. Apps that skip transactions with their own author read it.
  package static var storetool: HistoryOrigin {
    HistoryOrigin(
      author: "storetool", bundle: "storetool", process: "storetool",
      timestamp: Date().timeIntervalSinceReferenceDate)
  }

  /// The texts in the order of `HistoryColumn.origins`.
  var texts: [String?] { [author, bundle, context, process] }
}
