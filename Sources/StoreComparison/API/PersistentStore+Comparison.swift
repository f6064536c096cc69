import StoreCore
import StoreDiagnostics
public import StoreEngine

extension PersistentStore {
  /// Counts the rows that differ from an older store, like `storetool diff`.
  ///
  ///     let summary = try await store.compare(with: backup)
  ///     for entity in summary.entities { print(entity.entity, entity.added, entity.removed, entity.changed) }
  ///
  /// Rows are compared with the rows that have the same object ID if both stores have the same UUID, and otherwise with
  /// the rows that have the same values of a uniqueness constraint. The stores may have different model versions:
  /// properties are matched by name, and `ComparisonSummary.omitted` contains the other properties.
  ///
  /// Each store is read in one transaction on a separate connection, so other requests don't wait. If a store has a
  /// rollback journal, writing requests to it fail with the reason `locked` unless the comparison ends within the
  /// `lockTimeout`. Memory use doesn't depend on the number of rows.
  ///
  /// - Parameters:
  ///   - older: the store with the old values, such as a backup that was opened with `Options.readOnly`.
  ///   - rules: the entities and properties to compare, and how rows are matched.
  ///   - progress: called on another thread from time to time, with the number of rows read so far in both stores.
  /// - Returns: the numbers of differing rows and properties.
  /// - Throws: `StoreError` with the reason `invalidRequest` if an entity, a property or a key in the rules doesn't
  ///   exist, or if rows can't be matched or have the same key; `closed`, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  public func compare(
    with older: PersistentStore, by rules: ComparisonRules = ComparisonRules(),
    progress: (@Sendable (Int) -> Void)? = nil
  ) async throws -> ComparisonSummary {
    try await comparison(with: older, by: rules, progress: progress, feed: nil)
  }

  /// Calls a function with each row that differs from an older store.
  ///
  ///     let summary = try await store.compare(with: backup) { row in
  ///       for property in row.properties { print(row.kind, row.objectID, property.property) }
  ///     }
  ///
  /// Differences are read on demand and aren't collected, so memory use doesn't depend on their number. A slow function
  /// delays the end of the read transactions.
  ///
  /// - Parameters:
  ///   - older: the store with the old values, such as a backup that was opened with `Options.readOnly`.
  ///   - rules: the entities and properties to compare, and how rows are matched.
  ///   - progress: called on another thread from time to time, with the number of rows read so far in both stores.
  ///   - visit: called with each difference, on the caller's actor. If it throws, the comparison ends.
  /// - Returns: the numbers of differing rows and properties.
  /// - Throws: the errors of `visit`; `StoreError` with the reason `invalidRequest` if an entity, a property or a key
  ///   in the rules doesn't exist, or if rows can't be matched or have the same key; `closed`, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  @discardableResult
  public nonisolated(nonsending) func compare(
    with older: PersistentStore, by rules: ComparisonRules = ComparisonRules(),
    progress: (@Sendable (Int) -> Void)? = nil, _ visit: (RowDifference) async throws -> Void
  ) async throws -> ComparisonSummary {
    let feed = DifferenceFeed.ofDifferences()
    async let summary = comparison(with: older, by: rules, progress: progress, feed: feed)
    while let differences = try await feed.next() {
      for difference in differences { try await visit(difference) }
    }
    return try await summary
  }

  /// Counts the rows that have changed since a token of the persistent history.
  ///
  /// - Parameters:
  ///   - token: the last transaction before the changes.
  ///   - rules: the entities and properties to compare. Rows are always matched by object ID.
  ///   - progress: called on another thread from time to time, with the number of changes read so far.
  /// - Returns: the numbers of changed rows and properties.
  /// - Throws: `StoreError` with the reason `historyIncomplete` if transactions after the token were pruned, or if the
  ///   store has never had this token; `unsupportedStore` if the store doesn't have a persistent history;
  ///   `invalidRequest` if an entity or a property in the rules doesn't exist; `closed`, `locked`, or `inputOutput`;
  ///   `CancellationError`.
  public func compare(
    since token: StoreHistory.Token, by rules: ComparisonRules = ComparisonRules(),
    progress: (@Sendable (Int) -> Void)? = nil
  ) async throws -> ComparisonSummary {
    try await changes(since: token, by: rules, progress: progress, feed: nil)
  }

  /// Calls a function with each row that has changed since a token of the persistent history.
  ///
  ///     try await store.compare(since: token) { row in print(row.kind, row.objectID) }
  ///
  /// Several changes of one row are one difference, and a row that was inserted and deleted isn't a difference. The
  /// history contains old values only of deleted rows, and only of the attributes that it preserves.
  ///
  /// - Parameters:
  ///   - token: the last transaction before the changes.
  ///   - rules: the entities and properties to compare. Rows are always matched by object ID.
  ///   - progress: called on another thread from time to time, with the number of changes read so far.
  ///   - visit: called with each difference, on the caller's actor. If it throws, the comparison ends.
  /// - Returns: the numbers of changed rows and properties.
  /// - Throws: the errors of `visit`; `StoreError` with the reason `historyIncomplete` if transactions after the token
  ///   were pruned, or if the store has never had this token; `unsupportedStore` if the store doesn't have a
  ///   persistent history; `invalidRequest` if an entity or a property in the rules doesn't exist; `closed`, `locked`,
  ///   or `inputOutput`; `CancellationError`.
  @discardableResult
  public nonisolated(nonsending) func compare(
    since token: StoreHistory.Token, by rules: ComparisonRules = ComparisonRules(),
    progress: (@Sendable (Int) -> Void)? = nil, _ visit: (RowDifference) async throws -> Void
  ) async throws -> ComparisonSummary {
    let feed = DifferenceFeed.ofDifferences()
    async let summary = changes(since: token, by: rules, progress: progress, feed: feed)
    while let differences = try await feed.next() {
      for difference in differences { try await visit(difference) }
    }
    return try await summary
  }
}

extension PersistentStore {
  /// - Parameter feed: receives the differences; nil to only count them.
  private func comparison(
    with older: PersistentStore, by rules: ComparisonRules, progress: (@Sendable (Int) -> Void)?,
    feed: DifferenceFeed?
  ) async throws -> ComparisonSummary {
    try await comparing(with: [older], feed) { sides, cancellation in
      let plan = try ComparisonPlan(sides[1], sides[0], by: rules)
      return try StoreComparison(plan, cancellation: cancellation).run(
        sides[1], sides[0], progress: { progress?($0) }, visit: feed?.visit)
    }
  }

  /// - Parameter feed: receives the differences; nil to only count them.
  private func changes(
    since token: StoreHistory.Token, by rules: ComparisonRules,
    progress: (@Sendable (Int) -> Void)?, feed: DifferenceFeed?
  ) async throws -> ComparisonSummary {
    try await comparing(with: [], feed) { sides, cancellation in
      let plan = try ComparisonPlan(changesOf: sides[0], by: rules)
      return try HistoryComparison(
        plan, since: .transaction(token.transaction), cancellation: cancellation
      ).run(sides[0], progress: { progress?($0) }, visit: feed?.visit).summary
    }
  }

  /// Runs a comparison, and closes the feed at its end.
  private func comparing(
    with others: [PersistentStore], _ feed: DifferenceFeed?,
    _ body: @escaping @Sendable ([ComparedSide], Cancellation) throws -> ComparisonSummary
  ) async throws -> ComparisonSummary {
    defer { feed?.end() }
    return try await withTaskCancellationHandler {
      try await readingApart(for: .compare, with: others) { readers, cancellation in
        do {
          return try body(readers.map { ComparedSide($0.store, $0.layout) }, cancellation)
        } catch let error as ComparisonError {
          throw StoreError(.invalidRequest, error.diagnostics)
        }
      }
    } onCancel: {
      feed?.end()
    }
  }
}

private typealias DifferenceFeed = ResultFeed<RowDifference>

extension DifferenceFeed {
  /// Creates a queue that is full with 64 differences, or with 8 MiB of binary values.
  fileprivate static func ofDifferences() -> DifferenceFeed {
    let limit = 8 << 20
    return DifferenceFeed(limit: limit) { $0.binarySize + limit / 64 }
  }

  fileprivate func visit(_ visited: VisitedDifference) throws {
    if let difference = try RowDifference(visited) { try send(difference) }
  }
}

extension RowDifference {
  /// The size of the binary values in bytes.
  fileprivate var binarySize: Int {
    properties.reduce(0) { $0 + ($1.old?.binarySize ?? 0) + ($1.new?.binarySize ?? 0) }
  }
}

extension ComparedValue {
  fileprivate var binarySize: Int {
    if case .attribute(.binary(let bytes)) = self { bytes.count } else { 0 }
  }
}
