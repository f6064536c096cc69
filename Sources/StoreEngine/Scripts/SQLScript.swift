package import StoreSQL

/// Statements for an engine that is not this program, in the order in which they are to run.
package struct SQLScript: Hashable, Sendable {
  package struct Statement: Hashable, Sendable {
    package let sql: SQL
    /// For the reader; nil where there is nothing to say.
    package let purpose: String?
  }

  package let dialect: SQLDialect
  /// What it is about, a line each.
  package let head: [String]
  package let statements: [Statement]

  /// - Parameters:
  ///   - head: what is to be said of what the script does.
  ///   - parts: what it does, as a connection of ours would.
  ///   - taken: names that the store has for tables of its own.
  /// - Throws: `ScriptError`
  package init(
    _ head: [String], _ parts: [ScriptPart], for dialect: SQLDialect, taken: Set<String> = []
  ) throws(ScriptError) {
    let statements = try ScriptBuilder(dialect, taken: taken).statements(of: parts)
    self.dialect = dialect
    self.statements = statements
    self.head = head + Self.advice(statements.count, dialect)
  }

  private static func advice(_ count: Int, _ dialect: SQLDialect) -> [String] {
    guard count > 0 else { return ["There is nothing to do."] }
    let lines = ["\(count) statements for \(dialect.rawValue). \(dialect.facts.sending)."]
    guard !dialect.facts.takesTransactions else { return lines }
    return lines + [
      "One by one, each counts at once. While there is a table \(ScriptBuilder.marker),",
      "a script has not come to its end: go on behind the last statement that was answered.",
    ]
  }
}

extension SQLScript {
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
  package static func comment(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
