import StoreLayout
package import SQLiteAccess

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
