import StoreDiagnostics
import StoreEngine

/// A token of `history --since` from which the history can't be listed completely.
enum HistoryTokenError: Error, Hashable {
  /// Transactions after the token were pruned; `first` is the first one that is left.
  case pruned(Int64, first: Int64?)
  case later(Int64, last: Int64)

  /// - Throws: `HistoryTokenError`, `DatabaseError`.
  static func check(_ bound: HistoryBound?, in log: HistoryLog) throws {
    guard case .transaction(let number)? = bound else { return }
    let last = try log.lastTransaction()
    guard number <= last else { throw HistoryTokenError.later(number, last: last) }
    if number > 0, try log.isPruned(since: .transaction(number)) {
      throw HistoryTokenError.pruned(number, first: try log.firstTransaction()?.number)
    }
  }
}

extension HistoryTokenError: DiagnosableError {
  var diagnostics: [Diagnostic] {
    switch self {
    case .pruned(let number, let first):
      [
        Diagnostic(
          .error, "history.pruned",
          "the history after transaction \(number) is incomplete: transactions were pruned",
          cause: .invalid,
          help: [
            first.map {
              .text("the first one left is \($0); without --since all that are left are listed")
            }
              ?? "no transaction is left",
            "a program that synchronizes by tokens has to read all rows again",
          ])
      ]
    case .later(let number, let last):
      [
        Diagnostic(
          .error, "history.later-token",
          "the history has no transaction \(number) yet: its last one is \(last)", cause: .invalid,
          help: ["the token may be of another store, or of this one before it was restored"])
      ]
    }
  }
}
