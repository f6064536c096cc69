import SQLiteAccess
import StoreLayout
import StoreSQL

/// Makes of what a connection of ours would run what an engine takes.
struct ScriptBuilder {
  /// The table that says that a script has begun and not ended.
  static let marker = ScratchTables.prefix + "unfinished"

  private let dialect: SQLDialect
  private let taken: Set<String>

  /// - Parameter taken: names that the store has for tables of its own.
  init(_ dialect: SQLDialect, taken: Set<String>) {
    self.dialect = dialect
    self.taken = Set(taken.map { $0.lowercased() })
  }

  func statements(of parts: [ScriptPart]) throws(ScriptError) -> [SQLScript.Statement] {
    let parts = parts.withoutIdleTables.map { $0.replacing($0.sql.withExactFractions) }
    let scratch = ScratchTables(of: parts.map(\.sql))
    guard parts.contains(where: { $0.changes && scratch.target(of: $0.sql) == nil }) else {
      return []
    }
    guard !dialect.facts.takesTransactions else {
      return [.init(sql: "BEGIN IMMEDIATE", purpose: nil)] + parts.map(Self.statement)
        + [.init(sql: "COMMIT", purpose: nil)]
    }
    return try oneByOne(parts, scratch)
  }

  private func oneByOne(
    _ parts: [ScriptPart], _ scratch: ScratchTables
  ) throws(ScriptError) -> [SQLScript.Statement] {
    if taken.contains(Self.marker) { throw .unfinished(table: Self.marker) }
    for name in scratch.ordinaryNames + [LongValues.table] where taken.contains(name.lowercased()) {
      throw .nameTaken(name)
    }
    // What must hold beforehand is asked before anything is written.
    let (first, rest) = parts.splitAtFirstChange
    let marker: [ScriptPart] = [
      .definition("CREATE TABLE \(name: Self.marker) (script)", purpose: "tells that it has begun")
    ]
    let ordered =
      Array(first) + marker + rest.map { $0.replacing(scratch.ordinary($0.sql)) }
    let statements = try shortened(ordered.map(Self.statement), ordered)
    let tables = scratch.tables(left: parts.map(\.sql)).map(scratch.ordinary)
    let dropped = (tables + [Self.marker]).map { table in
      SQLScript.Statement(sql: "DROP TABLE \(name: table)", purpose: "tidies up")
    }
    return statements + dropped
  }

  private func shortened(
    _ statements: [SQLScript.Statement], _ parts: [ScriptPart]
  ) throws(ScriptError) -> [SQLScript.Statement] {
    guard let limit = dialect.facts.restrictions.limits.statementBytes else { return statements }
    var values = LongValues(limit: limit)
    var result: [SQLScript.Statement] = []
    for (statement, part) in zip(statements, parts) {
      let bytes = statement.sql.literalText.utf8.count
      guard bytes > limit else {
        result.append(statement)
        continue
      }
      guard !part.isDefinition, let short = values.shorten(statement.sql) else {
        throw .tooLong(purpose: statement.purpose, bytes: bytes, limit: limit)
      }
      result += short.dropLast().map { .init(sql: $0, purpose: "keeps a long value, in pieces") }
      result += short.suffix(1).map { .init(sql: $0, purpose: statement.purpose) }
    }
    guard values.count > 0 else { return result }
    let make = SQLScript.Statement(sql: LongValues.creation, purpose: "keeps long values")
    let drop = SQLScript.Statement(
      sql: "DROP TABLE \(name: LongValues.table)", purpose: "tidies up")
    return [make] + result + [drop]
  }

  private static func statement(_ part: ScriptPart) -> SQLScript.Statement {
    switch part {
    case .change(let sql, let purpose), .definition(let sql, let purpose):
      .init(sql: sql, purpose: purpose)
    case .condition(let sql, let words):
      .init(sql: guarding(sql, words), purpose: "asks whether \(words)")
    }
  }

  /// Where the question has a row, SQLite is asked to look for that path, which is none: its error has the words.
  /// Elsewhere the path is NULL, and no row is changed.
  private static func guarding(_ question: SQL, _ words: String) -> SQL {
    let path = SQL.value(.text(ScriptError.conditionMark + words))
    return """
      UPDATE \(name: FixedTable.metadata) SET \(name: FixedColumn.uuid) = \(name: FixedColumn.uuid) \
      WHERE json_extract('{}', (SELECT \(path) FROM (\(question)) LIMIT 1))
      """
  }
}

extension ScriptPart {
  fileprivate var isDefinition: Bool { if case .definition = self { true } else { false } }

  var changes: Bool { if case .condition = self { false } else { true } }
}

extension [ScriptPart] {
  fileprivate var splitAtFirstChange: (ArraySlice<ScriptPart>, ArraySlice<ScriptPart>) {
    let place = firstIndex(where: \.changes) ?? endIndex
    return (self[..<place], self[place...])
  }
}

extension ScratchTables {
  /// Those that the statements make and do not drop.
  func tables(left statements: [SQL]) -> [String] {
    var made: [String] = []
    for statement in statements {
      let words = statement.tokens.filter { $0.kind != .blank }
      guard let target = target(of: statement) else { continue }
      if words.first?.isWord("DROP") == true {
        made.removeAll { $0 == target }
      } else if words.first?.isWord("CREATE") == true, words.contains(where: { $0.isWord("TABLE") })
      {
        made.append(target)
      }
    }
    return made
  }
}
