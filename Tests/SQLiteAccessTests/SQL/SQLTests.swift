import SQLiteAccess
import Testing

/// A statement consists of fixed text, quoted names and bound values.
struct SQLTests {
  @Test func aStatementIsPutTogether() {
    let condition: SQL = "\(name: "Z_PK") = \(value: .integer(7))"
    let both = [condition, "ZTITLE = \(value: .text("it's"))" as SQL].joined(" AND ")
    let statement: SQL = "DELETE FROM \(name: "ZITEM") WHERE \(both)"
    let (text, values) = statement.rendered()
    #expect(text == "DELETE FROM ZITEM WHERE Z_PK = ?1 AND ZTITLE = ?2")
    #expect(values == [.integer(7), .text("it's")])
    #expect(statement.literalText == "DELETE FROM ZITEM WHERE Z_PK = 7 AND ZTITLE = 'it''s'")
  }

  @Test func piecesAddUp() {
    var statement: SQL = ""
    #expect(statement.isEmpty)
    statement += "SELECT "
    statement += SQL.name("t", "Z_PK") + " FROM t"
    #expect(statement.literalText == "SELECT t.Z_PK FROM t")
    #expect([SQL]().joined(", ").isEmpty)
  }

  @Test(arguments: [
    ("ZITEM", "ZITEM"), ("a_1", "a_1"), ("1a", "\"1a\""), ("", "\"\""), ("a b", "\"a b\""),
    ("a\"b", "\"a\"\"b\""), ("x'; --", "\"x'; --\""), ("Zä", "\"Zä\""),
    // A quote with a combining mark is still a quote, and text ends with the first NUL.
    ("a\"\u{301}b", "\"a\"\"\u{301}b\""), ("a\0b", "\"a\u{FFFD}b\""),
  ])
  func aNameIsBareOrQuoted(_ name: String, _ quoted: String) {
    #expect(SQL.quoted(name).unicodeScalars.elementsEqual(quoted.unicodeScalars))
  }

  @Test(
    arguments: [
      (.null, "NULL"), (.integer(-3), "-3"), (.integer(.min), "(-9223372036854775807 - 1)"),
      (.real(0.1), "0.1"), (.real(3), "3.0"), (.real(.infinity), "9e999"),
      (.real(-.infinity), "-9e999"), (.real(.nan), "NULL"), (.text(""), "''"),
      (.text("it's"), "'it''s'"), (.text("a\0b"), "('a' || char(0) || 'b')"),
      // A quote with a combining mark is still a quote.
      (.text("a'\u{301}b"), "'a''\u{301}b'"), (.blob([]), "x''"),
      (.blob([0, 39, 255]), "x'0027ff'"),
    ] as [(SQLiteValue, String)])
  func aValueIsWrittenOut(_ value: SQLiteValue, _ literal: String) {
    #expect(value.literal == literal)
  }
}
