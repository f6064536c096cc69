package import SQLiteAccess
import StoreLayout

/// The statements of a request as a transaction for the `sqlite3` shell.
package struct SQLScript: Hashable, Sendable {
  package struct Statement: Hashable, Sendable {
    package let sql: SQL
    /// A comment for the reader, or nil.
    package let purpose: String?
  }

  /// The lines of the first comment.
  package let head: [String]
  /// The statements. Empty if nothing changes.
  package let statements: [Statement]

  /// - Parameters:
  ///   - head: the description of the script.
  ///   - parts: the statements that the request ran, and the conditions that they depend on.
  init(_ head: [String], _ parts: [ScriptPart]) {
    let parts = parts.withoutIdleTables.map { $0.replacing($0.sql.withExactFractions) }
    let scratch = ScratchTables(of: parts.map(\.sql))
    guard parts.contains(where: { $0.changes && scratch.target(of: $0.sql) == nil }) else {
      statements = []
      self.head = head + ["No changes are required."]
      return
    }
    statements =
      [Statement(sql: "BEGIN IMMEDIATE", purpose: nil)] + parts.map(Statement.init)
      + [Statement(sql: "COMMIT", purpose: nil)]
    self.head =
      head + [
        "\(statements.count) statements. With sqlite3 -bail, either all of them take effect, or none."
      ]
  }

  /// The script with all values in the text and a comment above each statement.
  package var text: String {
    var lines = head.map { "-- \(Self.comment($0))" }
    for (index, statement) in statements.enumerated() {
      let purpose = statement.purpose.map { ": \(Self.comment($0))" } ?? ""
      lines.append("-- \(index + 1) of \(statements.count)\(purpose)")
      lines.append(statement.sql.literalText + ";")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the text without newlines, which would end the comment.
  private static func comment(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

extension SQLScript.Statement {
  fileprivate init(_ part: ScriptPart) {
    switch part {
    case .change(let sql, let purpose): self.init(sql: sql, purpose: purpose)
    case .condition(let sql, let words):
      self.init(sql: Self.guarding(sql, words), purpose: "checks whether \(words)")
    }
  }

  /// Returns a statement that fails if `question` returns a row, and otherwise doesn't change anything. It fails with
  /// SQLite's error for an invalid JSON path, which contains `words`.
  private static func guarding(_ question: SQL, _ words: String) -> SQL {
    let path = SQL.value(.text(ScriptError.conditionMark + words))
    return """
      UPDATE \(name: FixedTable.metadata) SET \(name: FixedColumn.uuid) = \(name: FixedColumn.uuid) \
      WHERE json_extract('{}', (SELECT \(path) FROM (\(question)) LIMIT 1))
      """
  }
}

/// A statement of a script, or a condition that must be true at its position.
enum ScriptPart: Hashable, Sendable {
  /// A statement, and a comment for the reader or nil.
  case change(SQL, purpose: String?)
  /// A SELECT that must not return a row, and the message of the error if it does.
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
  /// - Parameter purposes: the known purposes of statements.
  init(_ entry: StatementRecorder.Entry, purposes: [SQL: String] = [:]) {
    switch entry {
    case .change(let sql): self = .change(sql, purpose: purposes[sql])
    case .condition(let sql, let words): self = .condition(sql, words: words)
    }
  }
}

extension [ScriptPart] {
  /// The parts without the statements on temporary tables that no other part reads. The request uses these tables only
  /// for its result.
  var withoutIdleTables: [ScriptPart] {
    let scratch = ScratchTables(of: map(\.sql))
    let targets = map { part -> String? in
      if case .condition = part { nil } else { scratch.target(of: part.sql) }
    }
    var used: Set<String> = []
    var count = -1
    // Tables from which a used table is filled are used too.
    while used.count != count {
      count = used.count
      for (part, target) in zip(self, targets) where target.map(used.contains) ?? true {
        used.formUnion(scratch.mentioned(in: part.sql))
      }
    }
    return zip(self, targets).filter { $0.1.map(used.contains) ?? true }.map(\.0)
  }
}
