import Synchronization

/// Records the changes of a request: the statements with their values, and the conditions that it has checked.
///
/// It is used to print the statements of a request that runs on a copy of the store.
package final class StatementRecorder: Sendable {
  package enum Entry: Hashable, Sendable {
    /// A statement that changes rows or the schema.
    case change(SQL)
    /// A query that returned no rows. With rows, the request would have failed with the message `words`.
    case condition(SQL, words: String)
  }

  /// The recorder of the current `recording` call, or nil.
  @TaskLocal package static var current: StatementRecorder?

  private let noted = Mutex<[Entry]>([])

  package init() {}

  package var entries: [Entry] { noted.withLock { $0 } }

  /// Records the statements that `body` runs.
  package func recording<Result>(_ body: () throws -> Result) rethrows -> Result {
    try Self.$current.withValue(self, operation: body)
  }

  /// Records a condition.
  ///
  /// - Parameters:
  ///   - question: a SELECT that returned no rows. If it returns rows in another database, the recorded statements must
  ///     not run there.
  ///   - words: the error message for that case.
  package func expectNone(_ question: SQL, _ words: String) {
    noted.withLock { $0.append(.condition(question, words: words)) }
  }

  /// Records a statement that changes rows or the schema. Queries, transactions and pragmas aren't recorded.
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
