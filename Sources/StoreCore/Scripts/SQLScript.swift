package import SQLiteAccess
import StoreLayout

/// The statements of a request as one transaction for the `sqlite3` shell.
package struct SQLScript: Hashable, Sendable {
  package struct Statement: Hashable, Sendable {
    package let sql: SQL
    /// A comment for the reader; nil for none.
    package let purpose: String?
  }

  /// The first comment, line by line.
  package let head: [String]
  /// Empty where nothing changes.
  package let statements: [Statement]

  /// - Parameters:
  ///   - head: What the script does.
  ///   - parts: The statements that the request ran, and the conditions that they rest on.
  init(_ head: [String], _ parts: [ScriptPart]) {
    let parts = parts.withoutIdleTables.map { $0.replacing($0.sql.withExactFractions) }
    let scratch = ScratchTables(of: parts.map(\.sql))
    guard parts.contains(where: { $0.changes && scratch.target(of: $0.sql) == nil }) else {
      statements = []
      self.head = head + ["There is nothing to do."]
      return
    }
    statements =
      [Statement(sql: "BEGIN IMMEDIATE", purpose: nil)] + parts.map(Statement.init)
      + [Statement(sql: "COMMIT", purpose: nil)]
    self.head =
      head + [
        "\(statements.count) statements. With sqlite3 -bail all of them take effect, or none."
      ]
  }

  /// With all values written out, a comment above each statement.
  package var text: String {
    var lines = head.map { "-- \(Self.comment($0))" }
    for (index, statement) in statements.enumerated() {
      let purpose = statement.purpose.map { ": \(Self.comment($0))" } ?? ""
      lines.append("-- \(index + 1) of \(statements.count)\(purpose)")
      lines.append(statement.sql.literalText + ";")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A comment ends with its line.
  private static func comment(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

extension SQLScript.Statement {
  fileprivate init(_ part: ScriptPart) {
    switch part {
    case .change(let sql, let purpose): self.init(sql: sql, purpose: purpose)
    case .condition(let sql, let words):
      self.init(sql: Self.guarding(sql, words), purpose: "asks whether \(words)")
    }
  }

  /// Returns a statement that fails where the question has a row, and otherwise changes no row. The error is SQLite's for a
  /// wrong JSON path, and the path contains the words.
  private static func guarding(_ question: SQL, _ words: String) -> SQL {
    let path = SQL.value(.text(ScriptError.conditionMark + words))
    return """
      UPDATE \(name: FixedTable.metadata) SET \(name: FixedColumn.uuid) = \(name: FixedColumn.uuid) \
      WHERE json_extract('{}', (SELECT \(path) FROM (\(question)) LIMIT 1))
      """
  }
}

/// One statement of a script, or a condition that must hold when the script gets there.
enum ScriptPart: Hashable, Sendable {
  /// - purpose: for the reader; nil where there is nothing to say.
  case change(SQL, purpose: String?)
  /// A SELECT that must have no row, and what is wrong where it has one.
  case condition(SQL, words: String)

  var sql: SQL {
    switch self {
    case .change(let sql, _), .condition(let sql, _): sql
    }
  }

  var changes: Bool { if case .condition = self { false } else { true } }

  func replacing(_ sql: SQL) -> ScriptPart {
    switch self {
    case .change(_, let purpose): .change(sql, purpose: purpose)
    case .condition(_, let words): .condition(sql, words: words)
    }
  }
}

extension ScriptPart {
  /// - Parameter purposes: what is known of some of the statements.
  init(_ entry: StatementRecorder.Entry, purposes: [SQL: String] = [:]) {
    switch entry {
    case .change(let sql): self = .change(sql, purpose: purposes[sql])
    case .condition(let sql, let words): self = .condition(sql, words: words)
    }
  }
}

extension [ScriptPart] {
  /// Without the temporary tables that nothing else reads: those that a request keeps for its own answers.
  var withoutIdleTables: [ScriptPart] {
    let scratch = ScratchTables(of: map(\.sql))
    let targets = map { part -> String? in
      if case .condition = part { nil } else { scratch.target(of: part.sql) }
    }
    var used: Set<String> = []
    var count = -1
    // What a table that is read is filled from is read, too.
    while used.count != count {
      count = used.count
      for (part, target) in zip(self, targets) where target.map(used.contains) ?? true {
        used.formUnion(scratch.mentioned(in: part.sql))
      }
    }
    return zip(self, targets).filter { $0.1.map(used.contains) ?? true }.map(\.0)
  }
}
