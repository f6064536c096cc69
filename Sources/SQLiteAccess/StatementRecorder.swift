import Synchronization

/// Notes what a request changes, statement by statement with the values that it ran with, and what it has found to hold.
///
/// For whoever wants the statements of a request rather than its effect.
package final class StatementRecorder: Sendable {
  package enum Entry: Hashable, Sendable {
    /// A statement that changes rows or the schema.
    case change(SQL)
    /// A question that had no answer; with one the request would have stopped.
    case condition(SQL, words: String)
  }

  /// Of this thread's requests; nil where nobody records.
  @TaskLocal package static var current: StatementRecorder?

  private let noted = Mutex<[Entry]>([])

  package init() {}

  package var entries: [Entry] { noted.withLock { $0 } }

  /// Notes what connections of this thread do while `body` runs.
  package func recording<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }

  /// - Parameters:
  ///   - question: a SELECT that has just had no row, and must have none when the statements run elsewhere.
  ///   - words: what is wrong where it has one.
  package func expectNone(_ question: SQL, _ words: String) {
    noted.withLock { $0.append(.condition(question, words: words)) }
  }

  /// Reads, transactions and settings are the connection's own.
  func note(_ sql: SQL) {
    guard let word = sql.tokens.first(where: { $0.kind != .blank })?.name.uppercased(),
      Self.changing.contains(word)
    else { return }
    noted.withLock { $0.append(.change(sql)) }
  }

  private static let changing: Set = [
    "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH", "CREATE", "ALTER", "DROP",
  ]
}
