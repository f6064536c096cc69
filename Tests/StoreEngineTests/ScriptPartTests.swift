import SampleData
import SeededRandom
import Testing

@testable import PredicateSQL
@testable import SQLiteAccess
@testable import StoreCore

/// Parts of statements that scripts contain.
@Suite struct ScriptPartTests {
  private func script(_ statements: SQL...) -> [String] {
    SQLScript([], statements.map { .change($0, purpose: nil) }).statements.map(\.sql.literalText)
  }

  @Test func tablesThatNothingReadsAreLeftOut() {
    #expect(
      script(
        "CREATE TEMP TABLE idle (k)", "INSERT INTO temp.idle SELECT Z_PK FROM ZITEM",
        "CREATE TEMP TABLE used (k)", "CREATE TEMP TABLE first (k)",
        "INSERT INTO temp.first SELECT 1", "INSERT INTO temp.used SELECT k FROM temp.first",
        "UPDATE ZITEM SET ZNAME = 'x' FROM temp.used AS u WHERE Z_PK = u.k", "DROP TABLE temp.idle"
      ) == [
        "BEGIN IMMEDIATE", "CREATE TEMP TABLE used (k)", "CREATE TEMP TABLE first (k)",
        "INSERT INTO temp.first SELECT 1", "INSERT INTO temp.used SELECT k FROM temp.first",
        "UPDATE ZITEM SET ZNAME = 'x' FROM temp.used AS u WHERE Z_PK = u.k", "COMMIT",
      ])
  }

  @Test func nothingToDoIsNoScript() {
    #expect(script("CREATE TEMP TABLE idle (k)") == [])
    #expect(SQLScript(["h"], []).text == "-- h\n-- No changes are required.\n")
  }

  /// Each registered SQL function has a wording for users.
  @Test func everyFunctionHasItsWords() throws {
    let own: SQL = """
      SELECT DISTINCT upper(name) FROM pragma_function_list \
      WHERE name GLOB '[a-zA-Z]*_*' AND NOT builtin
      """
    let names = try MemoryDatabase().inside { try $0.rows(own).compactMap { $0[0].text } }
    let ours = names.filter { name in
      ["TEXT_", "NUMBER_", "VALUE_", "LIST_"].contains { name.hasPrefix($0) }
    }
    #expect(ours.count > 25)
    #expect(ours.filter { SQLFunctions.wording(of: $0) == nil } == [])
  }

  /// SQLite parses the text of a fraction as the same fraction, and short fractions keep their text.
  @Test func fractionsComeBack() throws {
    var generator = SeededGenerator(seed: 5)
    var numbers = (0..<20_000).map { _ in
      Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &generator))
    }.filter(\.isFinite)
    numbers += (0..<20_000).map { _ in Double.random(in: -1e10...1e10, using: &generator) }
    numbers += [
      0.1, 12.34, 801_921_273.125, 0, -0.5, .leastNonzeroMagnitude, .leastNormalMagnitude, 1e308,
    ]
    let text: SQL = "SELECT \(value: .real(801_921_273.125))"
    #expect(text.withExactFractions == text)
    try MemoryDatabase().inside { connection in
      for number in numbers {
        let exact = ("SELECT \(value: .real(number))" as SQL).withExactFractions
        let literal = SQL(segments: [.text(exact.literalText)])
        let read = try connection.rows(literal)[0][0]
        #expect(read == .real(number), "\(number)")
      }
    }
  }
}
