import SQLiteAccess
package import StoreCore

extension PersistentStore {
  /// Runs several requests as one change. After this function returns, the store contains all changes, and if it
  /// throws, none of them. Other readers don't see the changes before.
  ///
  ///     let sold = try await store.transaction(author: "till") { transaction in
  ///       guard let tea = try transaction.first(Tea.all.where(\.name == "Sencha")), tea.stock > 0 else { return false }
  ///       try transaction.update(tea.id) { $0.set(\.stock, to: \.stock - 1) }
  ///       try transaction.create(Sale(tea: tea.id))
  ///       return true
  ///     }
  ///
  /// The store is locked for writing from start to end, and the closure runs on a thread of the store, so it should not
  /// do other slow work. Canceling the task, or exceeding the deadline, interrupts the current request and rolls the
  /// transaction back.
  ///
  /// In the persistent history, all changes are one transaction.
  ///
  /// - Parameters:
  ///   - author: the author of the changes in the history.
  ///   - deadline: the time limit, which includes waiting for a turn, or nil for no limit.
  ///   - body: the requests of the transaction.
  /// - Returns: the result of `body`.
  /// - Throws: an error of `body`; `StoreError`, which can have the reason `timedOut`; `CancellationError`.
  public func transaction<Result: Sendable>(
    author: ChangeAuthor = .storetool, deadline: Duration? = nil,
    _ body: @escaping @Sendable (StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await transaction(StoreRequest(.transaction), author: author, deadline: deadline, body)
  }

  /// - Parameter request: the request of the program, for messages.
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
          // The closure can have caught the error that ended the transaction. The requests after it have not run.
          try transaction.requireOpen()
          return result
        }.result
      }
    }
  }

  /// Reads several times from one state of the store, regardless of other writers.
  ///
  ///     let (count, cheapest) = try await store.read { snapshot in
  ///       (try snapshot.fetch(Tea.all.count), try snapshot.first(Tea.all.ordered(by: \.price)))
  ///     }
  ///
  /// - Parameters:
  ///   - deadline: the time limit, which includes waiting for a turn, or nil for no limit.
  ///   - body: the requests.
  /// - Returns: the result of `body`.
  /// - Throws: an error of `body`; `StoreError`, which can have the reason `timedOut`; `CancellationError`.
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

/// The author of a change. An app reads it in the persistent history of the store, for example to skip its own changes.
///
///     try await store.transaction(author: "sync") { … }
///     try await store.batchInsert(teas, author: ChangeAuthor("importer", contextName: "nightly"))
public struct ChangeAuthor: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name of the author: `transactionAuthor` in Core Data.
  public var name: String
  /// The name of the context, or nil.
  public var contextName: String?

  /// The default author.
  public static let storetool: ChangeAuthor = "storetool"

  /// Creates an author.
  ///
  /// - Parameters:
  ///   - name: the name of the author.
  ///   - contextName: the name of the context, or nil.
  public init(_ name: String, contextName: String? = nil) {
    self.name = name
    self.contextName = contextName
  }

  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The origin of a change at the current time.
  package var origin: HistoryOrigin {
    var origin = HistoryOrigin.storetool
    (origin.author, origin.context) = (name, contextName)
    return origin
  }
}
