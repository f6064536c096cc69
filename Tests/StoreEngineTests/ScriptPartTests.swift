import SampleData
import SeededRandom
import Testing

@testable import PredicateSQL
@testable import SQLiteAccess
@testable import StoreEngine
@testable import StoreSQL

/// What becomes of statements on their way to another engine.
@Suite struct ScriptPartTests {
  private func script(_ statements: SQL..., for dialect: SQLDialect) throws -> [String] {
    try SQLScript([], statements.map { .change($0, purpose: nil) }, for: dialect)
      .statements.map(\.sql.literalText)
  }

  @Test func temporaryTablesBecomeOrdinaryOnes() throws {
    #expect(
      try script(
        "CREATE TEMP TABLE kept (k)", "CREATE INDEX temp.kept_k ON kept (k)",
        "INSERT INTO temp.\(name: "kept") SELECT 'temp.kept' FROM ZITEM",
        "DELETE FROM ZITEM WHERE Z_PK IN (SELECT k FROM temp.kept)", for: .rqlite) == [
          "CREATE TABLE storetool_unfinished (script)",
          "CREATE TABLE storetool_kept (k)",
          "CREATE INDEX storetool_kept_k ON storetool_kept (k)",
          "INSERT INTO storetool_kept SELECT 'temp.kept' FROM ZITEM",
          "DELETE FROM ZITEM WHERE Z_PK IN (SELECT k FROM storetool_kept)",
          "DROP TABLE storetool_kept", "DROP TABLE storetool_unfinished",
        ])
  }

  @Test func tablesThatNothingReadsAreLeftOut() throws {
    #expect(
      try script(
        "CREATE TEMP TABLE idle (k)", "INSERT INTO temp.idle SELECT Z_PK FROM ZITEM",
        "CREATE TEMP TABLE used (k)", "CREATE TEMP TABLE first (k)",
        "INSERT INTO temp.first SELECT 1", "INSERT INTO temp.used SELECT k FROM temp.first",
        "UPDATE ZITEM SET ZNAME = 'x' FROM temp.used AS u WHERE Z_PK = u.k", "DROP TABLE temp.idle",
        for: .sqlite) == [
          "BEGIN IMMEDIATE", "CREATE TEMP TABLE used (k)", "CREATE TEMP TABLE first (k)",
          "INSERT INTO temp.first SELECT 1", "INSERT INTO temp.used SELECT k FROM temp.first",
          "UPDATE ZITEM SET ZNAME = 'x' FROM temp.used AS u WHERE Z_PK = u.k", "COMMIT",
        ])
  }

  @Test func nothingToDoIsNoScript() throws {
    #expect(try script("CREATE TEMP TABLE idle (k)", for: .sqlite) == [])
    #expect(try SQLScript(["h"], [], for: .d1).text == "-- h\n-- There is nothing to do.\n")
  }

  @Test func aDefinitionCannotBeShortened() {
    let text = SQLiteValue.text(String(repeating: "x", count: 100_000))
    let definition: SQL = "CREATE TABLE t (a DEFAULT \(value: text))"
    #expect(throws: ScriptError.tooLong(purpose: "makes t", bytes: 100_029, limit: 100_000)) {
      try SQLScript([], [.definition(definition, purpose: "makes t")], for: .d1)
    }
  }

  /// Each function that is made known to a connection has words for the user.
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

  /// SQLite reads a fraction's text as the fraction that it was, and short ones are told as they are.
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
