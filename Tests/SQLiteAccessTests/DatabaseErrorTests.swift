import SQLiteAccess
import StoreDiagnostics
import Testing

struct DatabaseErrorTests {
  /// SQLITE_NOMEM and SQLITE_IOERR_NOMEM aren't reported as bugs of storetool.
  @Test(arguments: [7, 10 | 12 << 8] as [Int32])
  func tooLittleMemoryIsNoBug(_ code: Int32) {
    let path = "Todo.sqlite"
    let error = DatabaseError(code: code, message: "out of memory", path: LocalPath(path))
    #expect(error == .outOfMemory(path: LocalPath(path)))
    #expect(error.diagnostics.map(\.cause) == [.inputOutput])
  }

  /// SQLITE_READONLY_RECOVERY and SQLITE_READONLY_CANTINIT mean that another process is opening the file, not that this
  /// process can't write it.
  @Test(arguments: [8 | 1 << 8, 8 | 5 << 8] as [Int32])
  func indexOfOtherProcessIsNoLackOfPermission(_ code: Int32) {
    let error = DatabaseError(code: code, message: "read-only", path: "Todo.sqlite")
    #expect(error == .writtenMeanwhile(path: "Todo.sqlite"))
  }

  /// The messages for SQLite's limits, which the user's input exceeds: https://www.sqlite.org/limits.html
  @Test(arguments: [
    "SELECT 1 ORDER BY \(list(3_000))", "SELECT 1 GROUP BY \(list(3_000))",
    "SELECT \(list(3_000))", "CREATE TABLE t (\(list(3_000, prefix: "c")))",
    "SELECT 1 WHERE \(list(2_000, separator: " OR "))",
    "\(list(3_000, prefix: "SELECT ", separator: " UNION ALL "))",
    "SELECT ?99999999", "SELECT 'a' LIKE '\(String(repeating: "%", count: 60_000))'",
    "SELECT max(\(list(2_000)))",
    "SELECT 1 FROM \(list(70, prefix: "(SELECT 1) t"))",
    "SELECT \(String(repeating: "(", count: 5_000))1\(String(repeating: ")", count: 5_000))",
  ])
  func limitIsNoBug(_ statement: String) throws {
    let database = try Database(uri: ":memory:", path: ":memory:", .writing) { _ in }
    let error = #expect(throws: DatabaseError.self) {
      _ = try database.use { try $0.rows(SQL(segments: [.text(statement)])) }
    }
    #expect(error?.diagnostics.map(\.code) == ["store.too-complex"], "\(String(describing: error))")
    #expect(error?.diagnostics.first?.help.isEmpty == false)
  }

  /// `1, 2, 3`, or with names: `c1, c2, c3`.
  private static func list(_ count: Int, prefix: String = "", separator: String = ", ") -> String {
    (1...count).map { "\(prefix)\($0)" }.joined(separator: separator)
  }
}
