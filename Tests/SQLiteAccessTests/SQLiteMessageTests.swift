import SQLiteAccess
import StoreDiagnostics
import Testing

/// The wording of SQLite that `DatabaseError+SQLiteMessage.swift` parses. The tests fail if a new release of SQLite
/// changes the wording.
@Suite struct SQLiteMessageTests {
  private static let tables = [
    "CREATE TABLE t (a, b NOT NULL, UNIQUE (a, b))", "CREATE TABLE u (a)",
    "CREATE TRIGGER r AFTER INSERT ON u BEGIN SELECT absent(new.a); END",
  ]

  /// The error of the last statement.
  private func error(of statements: [String]) throws -> DatabaseError? {
    let database = try Database(uri: ":memory:", path: ":memory:", .writing) { _ in }
    return try database.use { connection in
      for statement in Self.tables + statements.dropLast() {
        _ = try connection.rows(SQL(segments: [.text(statement)]))
      }
      return #expect(throws: DatabaseError.self) {
        _ = try connection.rows(SQL(segments: [.text(statements.last ?? "")]))
      }
    }
  }

  @Test("The function that SQLite doesn't know, also in a trigger")
  func unknownFunction() throws {
    #expect(try error(of: ["SELECT absent(1)"])?.unknownFunction == "absent")
    #expect(try error(of: ["INSERT INTO u VALUES (1)"])?.unknownFunction == "absent")
    #expect(try error(of: ["SELECT absent"])?.unknownFunction == nil)
  }

  @Test("A missing table")
  func missingTable() throws {
    #expect(try error(of: ["SELECT * FROM absent"])?.lacksTable == true)
    #expect(try error(of: ["SELECT absent FROM t"])?.lacksTable == false)
  }

  @Test("A missing table or column")
  func missingName() throws {
    #expect(try error(of: ["SELECT * FROM absent"])?.lacksName == true)
    #expect(try error(of: ["SELECT absent FROM t"])?.lacksName == true)
    #expect(try error(of: ["INSERT INTO t (absent) VALUES (1)"])?.lacksName == true)
    #expect(try error(of: ["SELECT FROM t"])?.lacksName == false)
  }

  @Test("The columns with equal values")
  func duplicateColumns() throws {
    let row = "INSERT INTO t VALUES (1, 2)"
    #expect(try error(of: [row, row])?.duplicateColumns == "t.a, t.b")
    #expect(try error(of: ["INSERT INTO t (a) VALUES (1)"])?.duplicateColumns == nil)
  }

  @Test(
    "A view or trigger that ALTER TABLE would break",
    arguments: [
      "CREATE VIEW v AS SELECT a FROM u",
      "CREATE TRIGGER s AFTER DELETE ON u BEGIN SELECT old.a; END",
    ])
  func dependent(_ definition: String) throws {
    let change = "ALTER TABLE u DROP COLUMN a"
    let error = try error(of: ["DROP TRIGGER r", "ALTER TABLE u ADD COLUMN c", definition, change])
    #expect(error?.breaksDependent == true, "\(String(describing: error))")
  }

  @Test("A view that was unusable before")
  func unusableView() throws {
    let view = "CREATE VIEW v AS SELECT a FROM absent"
    let error = try error(of: [view, "ALTER TABLE u RENAME TO w"])
    #expect(error?.words?.hasPrefix("error in view v: ") == true, "\(String(describing: error))")
    #expect(error?.breaksDependent == false)
  }

  @Test(
    "The help for a limit",
    arguments: [
      ("SELECT 1 ORDER BY \(ones)", "sort or group by fewer values"),
      ("SELECT 1 GROUP BY \(ones)", "sort or group by fewer values"),
      ("CREATE TABLE v (\(columns))", "a table, a result and an index"),
      ("CREATE INDEX i ON t (\(columns))", "a table, a result and an index"),
      ("SELECT 'a' LIKE '\(String(repeating: "%", count: 60_000))'", "a pattern has at most"),
      ("SELECT max(\(ones))", "use fewer nested conditions"),
    ])
  func limit(_ statement: String, _ help: String) throws {
    guard case .tooComplex(let message)? = try error(of: [statement]) else {
      Issue.record("not a limit")
      return
    }
    let diagnostics = DatabaseError.tooComplex(message: message).diagnostics
    let text = "\(diagnostics.flatMap(\.help))"
    #expect(text.contains(help), "\(message)")
  }

  private static let ones = Array(repeating: "1", count: 3_000).joined(separator: ", ")
  private static let columns = (1...3_000).map { "c\($0)" }.joined(separator: ", ")
}
