import SQLiteAccess
import Testing

/// Tokens of SQL: names and statements are distinguished from similar text.
struct SQLTokenTests {
  private func names(_ sql: SQL) -> [String] {
    sql.tokens.filter { $0.kind == .name }.map(\.name)
  }

  @Test func namesAreTold() {
    let table = "a \"b"
    #expect(
      names(
        "SELECT \"x\"\"y\", [z], `q` FROM temp.t1 WHERE 'temp.no' <> x'00' -- temp.c\n/* d */ AND 5e3"
      )
        == ["SELECT", "x\"y", "z", "q", "FROM", "temp", "t1", "WHERE", "AND"])
    #expect(
      names("UPDATE \(name: table) SET v = \(value: .text("w"))") == ["UPDATE", table, "SET", "v"])
  }

  @Test(arguments: [
    "SELECT 'it''s' || x'0a' FROM \"T\" -- end", "/* open", "'open", "\"open", "[open", "x'open",
    "a--b\nc", "/", "-", "é ☕️", "1.5e-3", "?1 :a @b $c", "",
  ])
  func piecesMakeItUpAgain(_ text: String) {
    let sql = SQL(segments: [.text(text)])
    #expect(SQL(tokens: sql.tokens).literalText == text)
  }

  @Test(arguments: [
    ("a; b", ["a", "b"]), (";; a ;\n-- end\n", ["a "]), ("a ';' b", ["a ';' b"]),
    (
      "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; SELECT 1; END; b",
      [
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; SELECT 1; END",
        "b",
      ]
    ),
    ("CREATE TABLE trigger2 (a); b", ["CREATE TABLE trigger2 (a)", "b"]), ("", []),
  ])
  func aScriptHasItsStatements(_ script: String, _ statements: [String]) {
    let sql = SQL(segments: [.text(script)])
    #expect(sql.statements.map(\.literalText) == statements)
  }
}
