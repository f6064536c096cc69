import SQLiteAccess
package import StoreCore

extension PersistentStore {
  /// Runs any number of requests as one change: all of it is in the store when this returns, and nothing when it
  /// throws. Other readers see none of it before.
  ///
  ///     let sold = try await store.transaction(author: "till") { transaction in
  ///       guard let tea = try transaction.first(Tea.all.where(\.name == "Sencha")), tea.stock > 0 else { return false }
  ///       try transaction.update(tea.id) { $0.set(\.stock, to: \.stock - 1) }
  ///       try transaction.create(Sale(tea: tea.id))
  ///       return true
  ///     }
  ///
  /// The store is locked for writing from the start to the end, and the closure runs on a thread of the store's: it
  /// should do nothing else that takes long. Cancelling the task, or a deadline that passes, ends the request that runs,
  /// and the transaction is rolled back.
  ///
  /// In the persistent history all is one transaction.
  ///
  /// - Parameters:
  ///   - author: who makes the changes, for the history.
  ///   - deadline: how long it may take, waiting for its turn included; nil for any time.
  ///   - body: the requests of the transaction.
  /// - Throws: what `body` throws; `StoreError`, `timedOut` among its reasons; `CancellationError`.
  public func transaction<Result: Sendable>(
    author: ChangeAuthor = .storetool, deadline: Duration? = nil,
    _ body: @escaping @Sendable (StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await transaction(StoreRequest(.transaction), author: author, deadline: deadline, body)
  }

  /// - Parameter request: what the program has asked for.
  func transaction<Result: Sendable>(
    _ request: StoreRequest, author: ChangeAuthor, deadline: Duration? = nil,
    _ body: @escaping @Sendable (StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await within(deadline) { [self] in
      try await perform(request) { [self] cancellation, run in
        try store.transact(as: author.origin, cancellation: cancellation) { open in
          let transaction = StoreTransaction(open, of: self, run)
          defer { transaction.end() }
          let result = try body(transaction)
          // What ended the transaction may have been caught; what ran behind it must not be taken for done.
          try transaction.requireOpen()
          return result
        }.result
      }
    }
  }

  /// Reads several times from one state of the store, whatever is written meanwhile.
  ///
  ///     let (count, cheapest) = try await store.read { snapshot in
  ///       (try snapshot.fetch(Tea.all.count), try snapshot.first(Tea.all.ordered(by: \.price)))
  ///     }
  ///
  /// - Parameters:
  ///   - deadline: how long it may take, waiting for its turn included; nil for any time.
  ///   - body: the requests of the transaction.
  /// - Throws: what `body` throws; `StoreError`, `timedOut` among its reasons; `CancellationError`.
  public func read<Result: Sendable>(
    deadline: Duration? = nil, _ body: @escaping @Sendable (StoreSnapshot) throws -> Result
  ) async throws -> Result {
    try await within(deadline) { [self] in
      try await performReading(StoreRequest(.read)) { [self] connection, cancellation, run in
        let snapshot = StoreSnapshot(of: self, on: connection, cancellation, run)
        defer { snapshot.end() }
        return try body(snapshot)
      }
    }
  }

  private func within<Result: Sendable>(
    _ deadline: Duration?, _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard let deadline else { return try await work() }
    return try await within(deadline, work)
  }
}

/// Who makes a change: an app reads it in the store's persistent history, to leave out what it has done itself.
///
///     try await store.transaction(author: "sync") { … }
///     try await store.batchInsert(teas, author: ChangeAuthor("importer", contextName: "nightly"))
public struct ChangeAuthor: Hashable, Sendable, ExpressibleByStringLiteral {
  /// `transactionAuthor` in Core Data.
  public var name: String
  /// The name of the context; nil for none.
  public var contextName: String?

  /// Who makes the changes of a program that does not say so.
  public static let storetool: ChangeAuthor = "storetool"

  public init(_ name: String, contextName: String? = nil) {
    self.name = name
    self.contextName = contextName
  }

  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// Now.
  package var origin: HistoryOrigin {
    var origin = HistoryOrigin.storetool
    (origin.author, origin.context) = (name, contextName)
    return origin
  }
}
