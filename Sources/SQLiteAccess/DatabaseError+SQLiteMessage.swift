/// Details of errors that are only in the text of SQLite's messages, because these errors share their result codes with
/// other errors (https://www.sqlite.org/rescode.html).
extension DatabaseError {
  /// The name of the unknown function that the statement calls, or nil for other errors.
  package var unknownFunction: String? { message(after: "no such function: ") }

  /// Whether the statement uses a missing table.
  package var lacksTable: Bool { message(after: "no such table: ") != nil }

  /// Whether the statement uses a missing table or column.
  package var lacksName: Bool {
    lacksTable || message(after: "no such column: ") != nil
      || message(after: "table ")?.contains(" has no column named ") == true
  }

  /// The columns in which two rows would have the same values, such as `ZTEAM.ZNAME, ZTEAM.ZCITY`, or nil for other
  /// errors. For an index on expressions, SQLite reports the index instead: `index 'NAME'`.
  package var duplicateColumns: String? { message(after: "UNIQUE constraint failed: ") }

  /// Whether ALTER TABLE would invalidate a view or a trigger. A message without "after" means that the view or trigger
  /// was already invalid.
  package var breaksDependent: Bool {
    ["error in view ", "error in trigger "].compactMap(message).contains { $0.contains(" after ") }
  }

  private func message(after beginning: String) -> String? {
    guard let words, words.hasPrefix(beginning) else { return nil }
    return String(words.dropFirst(beginning.count))
  }
}

/// SQLite's limits: https://www.sqlite.org/limits.html
enum SQLiteLimit {
  /// Returns whether a message of SQLite reports an exceeded limit.
  static func isReached(_ message: String) -> Bool { beginnings.contains(where: message.hasPrefix) }

  private static let beginnings = [
    // "too many terms", columns, variables, arguments, FROM clauses, references, attached databases, trigger levels.
    "too many ",
    // "at most 64 tables in a join"
    "at most ", "parser stack overflow", "Expression tree is too large",
    "variable number must be between", "LIKE or GLOB pattern too complex", "statement too long",
  ]

  /// The remedy for an exceeded limit.
  static func help(_ message: String) -> String {
    if message.hasPrefix("too many terms in") {
      return "sort or group by fewer values, at most 2,000"
    }
    if message.hasPrefix("too many columns") {
      return "a table, a result and an index have at most 2,000 columns each: use fewer properties"
    }
    if message.hasPrefix("LIKE") {
      return "a pattern has at most 50,000 bytes: shorten it, or use CONTAINS or BEGINSWITH"
    }
    return "use fewer nested conditions, shorter key paths or fewer values"
  }
}
