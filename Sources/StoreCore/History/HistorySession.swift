/// The one row of the persistent history to which all changes of a write transaction belong, whatever requests make them.
package final class HistorySession {
  let origin: HistoryOrigin
  /// The key of the row, once it is written.
  var transactionKey: Int64?

  package init(_ origin: HistoryOrigin = .storetool) {
    self.origin = origin
  }
}
