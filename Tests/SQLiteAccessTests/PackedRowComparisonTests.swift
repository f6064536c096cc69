import StoreDiagnostics
import PlainSQLite
import SQLiteAccess
import Testing
import TestSupport

/// The values of packed rows are compared as SQLite itself compares them.
@Suite struct PackedRowComparisonTests {
  private static let values: [SQLiteValue] = [
    .null, .integer(.min), .integer(.max), .integer(0), .integer(3), .integer(1 << 53),
    .integer(1 << 53 + 1), .real(0x1p53), .real(3), .real(3.5), .real(-0.0), .real(0x1p63),
    .real(-0x1p63), .real(.infinity), .real(-.infinity), .text(""), .text("a"), .text("a\0b"),
    .text("b"), .text("ß"), .blob([]), .blob([0]), .blob([97]), .blob([97, 0]), .blob([255]),
  ]

  @Test func everyPairIsAsInSQLite() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Todo.sqlite")
    try PlainDatabase(path).execute("CREATE TABLE T (A)")
    let file = try DatabaseFile(LocalPath(path))
    try Database(uri: file.readOnlyOpening.uri, path: LocalPath(path), .reading).read {
      connection in
      for one in Self.values {
        for other in Self.values {
          var left = try connection.prepare("SELECT 0, \(value: one)")
          var right = try connection.prepare("SELECT \(value: other)")
          _ = try (left.step(), right.step())
          let rows = (PackedRows(width: 2), PackedRows(width: 1))
          left.copyRow(into: rows.0)
          right.copyRow(into: rows.1)
          let (row, otherRow) = (PackedRow(0, of: rows.0), PackedRow(0, of: rows.1))
          let order = row.order(1, against: otherRow, 0)
          let expected = try connection.rows(
            """
            SELECT \(value: one) IS \(value: other), ifnull(\(value: one) < \(value: other), \
            \(value: one) IS NULL AND \(value: other) IS NOT NULL)
            """)[0]
          let isSame = row.holds(1, equalTo: otherRow, 0)
          #expect(
            expected == [.integer(isSame ? 1 : 0), .integer(order < 0 ? 1 : 0)],
            "\(one) and \(other)")
          #expect((order == 0) == isSame)
        }
      }
    }
  }
}
