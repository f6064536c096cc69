import SQLiteAccess
package import StoreCore

extension PersistentStore {
  /// Runs several requests as one change. If the closure throws, none of the changes are kept. Other readers see the
  /// changes only after the transaction has ended.
  ///
  ///     let sold = try await store.transaction(author: "till") { transaction in
  ///       let stock = Tea.all.where(\.name == "Sencha" && \.stock > 0)
  ///       guard let tea = try transaction.first(stock) else { return false }
  ///       try transaction.update(tea.id) { $0.set(\.stock, to: \.stock - 1) }
  ///       try transaction.create(Sale(tea: tea.id))
  ///       return true
  ///     }
  ///
  /// The store is locked for writing from start to end, and the closure runs on a thread of the store, so it should be
  /// short. If the task is cancelled or the deadline passes, the current request is interrupted and the transaction is
  /// rolled back.
  ///
  /// All changes are one transaction of the persistent history.
  ///
  /// - Parameters:
  ///   - author: the author of the changes in the persistent history.
  ///   - deadline: the maximum duration, including the time to wait for other requests. `nil` means no limit.
  ///   - body: runs the requests of the transaction.
  /// - Returns: the result of `body`.
  /// - Throws: the errors of `body`; `StoreError`, with the reason `timedOut` after the deadline; `CancellationError`.
  @discardableResult
  public func transaction<Result: Sendable>(
    author: ChangeAuthor = .storetool, deadline: Duration? = nil,
    _ body: @escaping @Sendable (StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await transaction(StoreRequest(.transaction), author: author, deadline: deadline, body)
  }

  /// - Parameter request: the request that the program made, for observers and messages.
  func transaction<Result: Sendable>(
    _ request: StoreRequest, author: ChangeAuthor, deadline: Duration? = nil,
    _ body: @escaping @Sendable (StoreTransaction) throws -> Result
  ) async throws -> Result {
    try await within(deadline) { [self] in
      try await perform(request) { [self] cancellation, run in
        try store.transact(
          as: author.origin, cancellation: cancellation, isOnePart: request.kind != .transaction
        ) { open in
          let transaction = StoreTransaction(open, of: self, run)
          defer { transaction.end() }
          let result = try body(transaction)
          // `body` may have caught an error that ended the transaction. Its other changes are lost then.
          try transaction.requireOpen()
          return result
        }.result
      }
    }
  }

  /// Runs several reads on one state of the store. Writes during the reads don't affect the results.
  ///
  ///     let (count, cheapest) = try await store.read { snapshot in
  ///       (try snapshot.fetch(Tea.all.count), try snapshot.first(Tea.all.ordered(by: \.price)))
  ///     }
  ///
  /// - Parameters:
  ///   - deadline: the maximum duration, including the time to wait for other requests. `nil` means no limit.
  ///   - body: runs the reads.
  /// - Returns: the result of `body`.
  /// - Throws: the errors of `body`; `StoreError`, with the reason `timedOut` after the deadline; `CancellationError`.
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

/// The author of a change in the store's persistent history. An app uses the author to recognize and ignore its own
/// changes.
///
///     try await store.transaction(author: "sync") { … }
///     try await store.batchInsert(teas, author: ChangeAuthor("importer", contextName: "nightly"))
public struct ChangeAuthor: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name of the author, which is `transactionAuthor` in Core Data.
  public var name: String
  /// The name of the context, or `nil`.
  public var contextName: String?

  /// The default author, with the name `storetool`.
  public static let storetool: ChangeAuthor = "storetool"

  /// Creates an author.
  ///
  /// - Parameters:
  ///   - name: the name, which is `transactionAuthor` in Core Data.
  ///   - contextName: the name of the context.
  public init(_ name: String, contextName: String? = nil) {
    self.name = name
    self.contextName = contextName
  }

  /// Creates an author from its name.
  ///
  /// - Parameter name: the name.
  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// The origin of changes by this author, at the current time.
  package var origin: HistoryOrigin {
    var origin = HistoryOrigin.storetool
    (origin.author, origin.context) = (name, contextName)
    return origin
  }
}
