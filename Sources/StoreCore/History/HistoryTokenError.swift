package import SQLiteAccess
package import StoreDiagnostics

/// The error for a token after which the history isn't complete, or that the history doesn't contain yet.
package enum HistoryTokenError: Error, Hashable {
  /// Transactions after the token were pruned. `first` is the number of the first remaining transaction.
  case pruned(Int64, first: Int64?)
  case later(Int64, last: Int64)
}

extension HistoryLog {
  /// Checks that the history is complete after a token. The token 0 stands for the start of the remaining history.
  ///
  /// - Throws: `HistoryTokenError` for a token after which transactions were pruned, or that is later than the last
  ///   transaction; `DatabaseError`. Dates aren't checked: for a date, `isPruned` returns whether transactions may be
  ///   missing.
  package func check(_ bound: HistoryBound?) throws {
    guard case .transaction(let number)? = bound, number > 0 else { return }
    try requireComplete(after: number)
  }

  /// Checks that the history is complete after a token, which may be 0 for the start of the store.
  ///
  /// - Throws: `HistoryTokenError`, `DatabaseError`
  package func requireComplete(after number: Int64) throws {
    let last = try lastTransaction()
    guard number <= last else { throw HistoryTokenError.later(number, last: last) }
    if try isPruned(since: .transaction(number)) {
      throw HistoryTokenError.pruned(number, first: try firstTransaction()?.number)
    }
  }

  /// Returns a warning if transactions after a date can have been pruned.
  package func warning(since bound: HistoryBound?) throws(DatabaseError) -> DiagnosticMessage? {
    guard case .date? = bound, let bound, try isPruned(since: bound) else { return nil }
    return DiagnosticMessage(
      .warning, "history.pruned",
      "the history doesn't reach back to \(bound.text): transactions were pruned",
      help: [
        try firstTransaction().map { "the first remaining transaction is \($0.number)" }
          ?? "no transactions remain"
      ])
  }
}

extension HistoryTokenError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .pruned(let number, let first):
      DiagnosticMessage(
        .error, "history.pruned",
        "the history after transaction \(number) is incomplete: transactions were pruned",
        cause: .invalid,
        help: [
          first.map { "the first remaining transaction is \($0)" } ?? "no transactions remain",
          "a program that synchronizes by tokens has to read all rows again",
        ])
    case .later(let number, let last):
      DiagnosticMessage(
        .error, "history.later-token",
        "transaction \(number) doesn't exist yet: the last one is \(last)", cause: .invalid,
        help: ["the number may be from another store, or from this store before it was restored"])
    }
  }
}
