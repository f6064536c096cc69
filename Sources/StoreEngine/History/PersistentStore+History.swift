import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout
import StorePredicate

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PersistentStore {
  /// Returns the transactions of the persistent history after a token, with their changes.
  ///
  ///     for transaction in try await store.history(after: token) {
  ///       for change in transaction.changes { print(change.kind, change.objectID.uri) }
  ///       token = transaction.id
  ///     }
  ///
  /// - Parameters:
  ///   - token: the token of the last processed transaction. `nil` means from the first remaining transaction on.
  ///   - limit: the maximum number of transactions. `nil` means no limit.
  /// - Returns: the transactions, the oldest first.
  /// - Throws: `StoreError` with the reason `historyIncomplete` if transactions after the token were pruned, or if the
  ///   store has never had this token; `unsupportedStore` if the store doesn't have a persistent history; `locked`;
  ///   `CancellationError`.
  public func history(
    after token: StoreHistory.Token? = nil, limit: Int? = nil
  ) async throws -> [StoreHistory.Transaction] {
    try await readingHistory { try $0.history(after: token, limit: limit) }
  }

  /// Returns the token of the last transaction, even if the transaction was pruned.
  ///
  /// - Returns: the token.
  /// - Throws: `StoreError` with the reason `unsupportedStore` if the store doesn't have a persistent history;
  ///   `CancellationError`.
  public func lastHistoryToken() async throws -> StoreHistory.Token {
    try await readingHistory { try $0.lastHistoryToken() }
  }

  /// Returns the transactions after a token, and then each later transaction, whichever program has recorded it.
  ///
  ///     for try await transactions in store.historyUpdates(after: token) { merge(transactions) }
  ///
  /// - Parameter token: the token of the last processed transaction. `nil` means from the first remaining transaction
  ///   on.
  /// - Returns: arrays of one or more transactions. The sequence ends when the store is closed. It throws the errors of
  ///   `history(after:limit:)`, except that it tries again while the store is locked.
  public func historyUpdates(after token: StoreHistory.Token? = nil) -> StoreHistory.Updates {
    StoreHistory.Updates(store: self, start: token)
  }

  /// Removes the transactions before a token. The transaction of the token remains.
  ///
  /// An app that hasn't processed the removed transactions can't merge their changes any more. CloudKit never receives
  /// changes that it hasn't received yet.
  ///
  /// - Parameter token: the first transaction that remains.
  /// - Returns: the number of removed transactions.
  /// - Throws: `StoreError` with the reason `unsupportedStore` if the store doesn't have a persistent history,
  ///   `locked`, or `readOnly`; `CancellationError`.
  @discardableResult
  public func pruneHistory(before token: StoreHistory.Token) async throws -> Int {
    try await pruneHistory(before: .transaction(token.transaction))
  }

  /// Removes the transactions before a date.
  ///
  /// An app that hasn't processed the removed transactions can't merge their changes any more. CloudKit never receives
  /// changes that it hasn't received yet.
  ///
  /// - Parameter date: the time from which on transactions remain.
  /// - Returns: the number of removed transactions.
  /// - Throws: `StoreError` with the reason `unsupportedStore` if the store doesn't have a persistent history,
  ///   `locked`, or `readOnly`; `CancellationError`.
  @discardableResult
  public func pruneHistory(before date: Date) async throws -> Int {
    try await pruneHistory(before: .date(date.timeIntervalSinceReferenceDate))
  }

  private func readingHistory<Result: Sendable>(
    _ body: @escaping @Sendable (StoreSnapshot) throws -> Result
  ) async throws -> Result {
    try await performReading(StoreRequest(.history)) { [self] connection, cancellation, run in
      let snapshot = StoreSnapshot(of: self, on: connection, cancellation, run)
      defer { snapshot.end() }
      return try body(snapshot)
    }
  }

  private func pruneHistory(before bound: HistoryBound) async throws -> Int {
    try await perform(StoreRequest(.pruneHistory)) { [store] cancellation, run in
      let pruned = try store.write(cancellation: cancellation) {
        try HistoryLog($0).prune(before: bound)
      }
      run?.count(rows: Int(pruned.transactions))
      return Int(pruned.transactions)
    }
  }
}

extension StoreSnapshot {
  /// Returns the transactions of the persistent history after a token, with their changes.
  ///
  /// - Parameters:
  ///   - token: the token of the last processed transaction. `nil` means from the first remaining transaction on.
  ///   - limit: the maximum number of transactions. `nil` means no limit.
  /// - Returns: the transactions, the oldest first.
  /// - Throws: `StoreError` with the reason `historyIncomplete` if transactions after the token were pruned, or if the
  ///   store has never had this token; `unsupportedStore` if the store doesn't have a persistent history.
  public func history(
    after token: StoreHistory.Token? = nil, limit: Int? = nil
  ) throws -> [StoreHistory.Transaction] {
    try translating {
      let log = try HistoryLog(connection)
      let bound = token.map { HistoryBound.transaction($0.transaction) }
      if let token { try log.requireComplete(after: token.transaction) }
      let found = try log.transactions(since: bound, limit: limit)
      for transaction in found { digest?.add(transaction.number) }
      digest?.endRequest()
      guard let last = found.last?.number else { return [] }
      var properties: [Int64: ChangedProperties] = [:]
      var changes: [Int64: [StoreHistory.Change]] = [:]
      try log.forEachChange(since: bound, upTo: last) { change in
        try cancellation.check()
        // Numbers that Core Data doesn't use are ignored.
        guard let kind = change.kind else { return }
        let names = properties[change.entity] ?? owner.layout.changedProperties(of: change.entity)
        properties[change.entity] = names
        let id = ObjectID(
          store: owner.store.metadata.uuid, entity: owner.layout.name(ofEntity: change.entity),
          primaryKey: change.key)
        changes[change.transaction, default: []].append(
          StoreHistory.Change(
            kind: StoreHistory.Change.Kind(kind), objectID: id,
            properties: change.mask.map(names.properties) ?? []))
      }
      run?.count(rows: found.count)
      return found.map { StoreHistory.Transaction($0, changes: changes[$0.number] ?? []) }
    }
  }

  /// Returns the token of the last transaction, even if the transaction was pruned.
  ///
  /// - Returns: the token.
  /// - Throws: `StoreError` with the reason `unsupportedStore` if the store doesn't have a persistent history.
  public func lastHistoryToken() throws -> StoreHistory.Token {
    try translating {
      let token = StoreHistory.Token(transaction: try HistoryLog(connection).lastTransaction())
      digest?.add(token.transaction)
      digest?.endRequest()
      return token
    }
  }
}

extension StoreHistory.Transaction {
  fileprivate init(_ transaction: HistoryLog.Transaction, changes: [StoreHistory.Change]) {
    let origin = transaction.origin
    self.init(
      id: StoreHistory.Token(transaction: transaction.number),
      date: Date(timeIntervalSinceReferenceDate: origin.timestamp), author: origin.author,
      contextName: origin.context, bundle: origin.bundle, process: origin.process, changes: changes)
  }
}

extension StoreHistory {
  /// The transactions of a persistent history after a token, and each later transaction.
  /// `PersistentStore.historyUpdates(after:)` creates it.
  public struct Updates: AsyncSequence, Sendable {
    let store: PersistentStore
    let start: StoreHistory.Token?

    /// Returns an iterator that starts after the token.
    ///
    /// - Returns: the iterator.
    public func makeAsyncIterator() -> AsyncIterator {
      let tokens = store.values { try $0.lastHistoryToken() }
      return AsyncIterator(store: store, tokens: tokens.makeAsyncIterator(), last: start)
    }

    /// An iterator over new transactions.
    public struct AsyncIterator: AsyncIteratorProtocol {
      let store: PersistentStore
      var tokens: StoreValues<StoreHistory.Token>.AsyncIterator
      var last: StoreHistory.Token?

      /// Returns the next transactions, or `nil` after the store was closed.
      ///
      /// - Returns: one or more transactions.
      /// - Throws: the errors of `PersistentStore.history(after:limit:)`.
      public mutating func next() async throws -> [StoreHistory.Transaction]? {
        while let token = try await tokens.next() {
          guard let transactions = try await readTransactions() else { return nil }
          // The state that was read contains the token.
          last = transactions.last?.id ?? Swift.max(last ?? token, token)
          if !transactions.isEmpty { return transactions }
        }
        return nil
      }

      /// Reads the transactions after the last one. Returns nil if the store was closed.
      private func readTransactions() async throws -> [StoreHistory.Transaction]? {
        while true {
          do {
            return try await store.history(after: last)
          } catch let error as StoreError where error.reason == .closed {
            return nil
          } catch let error as StoreError where error.isPassing {
            try await Task.sleep(for: StoreError.pauseBeforeRetry)
          }
        }
      }
    }
  }
}
