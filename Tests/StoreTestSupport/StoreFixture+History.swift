import SampleData
package import SQLiteAccess
import StoreCore
package import StoreLayout
import Testing

/// The two forms in which Core Data keeps its history.
package enum HistoryEra: String, CaseIterable, CustomTestStringConvertible {
  /// Framework 977 and later: the names are in a separate table.
  case strings
  /// Framework 851.
  case inline

  package var testDescription: String { rawValue }
}

extension StoreFixture {
  /// Creates the tables of the history, as Core Data does when an app enables it.
  package func keepHistory(_ era: HistoryEra = .strings, tombstones: Int = 0) throws {
    let columns = (0..<tombstones).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
    let keys = era == .strings ? "ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, " : ""
    try edit(
      """
      CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE \
      INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(columns) );
      CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \(keys)\
      ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID \
      VARCHAR, ZQUERYGEN BLOB );
      CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);
      """)
    guard era == .strings else { return }
    try edit(
      """
      CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
      ZNAME VARCHAR );
      CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING \
      (ZNAME COLLATE BINARY ASC);
      """)
  }
}

extension Connection {
  /// Returns the changes of a transaction, such as `insert Item 3` or `update List 1 items, title`.
  package func changes(in transaction: Int64, of layout: StoreLayout) throws -> [String] {
    try rows(
      """
      SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS FROM ACHANGE \
      WHERE ZTRANSACTIONID = \(value: .integer(transaction)) ORDER BY ZENTITY, ZENTITYPK, Z_PK
      """
    ).map { row in
      guard case .integer(let kind) = row[0], case .integer(let number) = row[1] else { return "" }
      var text = "\(ChangeKind(rawValue: kind)?.name ?? "?") "
      text += "\(layout.entity(numbered: number)?.name ?? "?") \(row[2].shown)"
      guard case .blob(let mask) = row[3] else { return text }
      let properties = layout.changedProperties(of: number)
      return text + " " + properties.properties(in: mask).joined(separator: ", ")
    }
  }
}
