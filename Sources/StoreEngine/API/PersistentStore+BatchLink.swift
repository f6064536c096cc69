import PredicateSQL
import StoreLayout
public import StoreModel
import StoreCore

extension PersistentStore {
  /// Links each row of an entity that matches a predicate to each destination row that matches another predicate, or
  /// unlinks these rows. Updates both sides of the relationship: columns, join tables, positions in ordered
  /// relationships, and the persistent history.
  ///
  ///     let join = BatchLink(
  ///       .link, entity: "Group", relationship: "members",
  ///       where: try FormatPredicate(parsing: "name == 'Choir'"),
  ///       to: try FormatPredicate(parsing: "city.name == 'Zürich'"))
  ///     let outcome = try await store.batchLink(join)
  ///     print(outcome.changed, "new links,", outcome.replaced, "replaced links")
  ///
  /// Rows that are already linked don't change. If a row can have only one partner, the new partner replaces the
  /// previous one.
  ///
  /// - Parameters:
  ///   - request: the two sides, and whether to link or unlink them.
  ///   - author: the author of the change in the persistent history.
  ///   - result: what to return. The default is the counts. `.objectIDs` returns the IDs of the rows on both sides
  ///     whose relationships have changed.
  /// - Returns: the requested form of the result.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model or the position
  ///   doesn't exist, `invalidData` if a row would have several partners but can have only one, no partner but
  ///   requires one, or too many or too few members, `notUnique`, `locked`, or `inputOutput`; `CancellationError`.
  ///   After an error the store is unchanged.
  @discardableResult
  public func batchLink<Returned>(
    _ request: BatchLink, author: ChangeAuthor = .storetool,
    returning result: BatchResult<LinkResult, Returned> = .count
  ) async throws -> Returned {
    try await perform(StoreRequest(.batchLink, of: request.entity)) { [self] cancellation, run in
      let plan = try request.plan(in: layout, storeUUID: store.metadata.uuid)
      return try finish(result, run) { keep in
        try store.link(by: plan, in: layout, as: author.origin, cancellation: cancellation) {
          try keep?(Store.linkedKeys.sql, $0)
        }
      }
    }
  }

  /// Returns what `batchLink` would do now, without changing the store.
  ///
  /// - Parameter request: the two sides, and whether to link or unlink them.
  /// - Returns: the counts of `batchLink`.
  /// - Throws: the errors of `batchLink`, except `notUnique`: a dry run doesn't detect duplicate values.
  public func dryRun(of request: BatchLink) async throws -> LinkResult {
    try await perform(StoreRequest(.dryRun, of: request.entity)) { [self] cancellation, _ in
      let plan = try request.plan(in: layout, storeUUID: store.metadata.uuid)
      return try store.dryRun(of: plan, in: layout, cancellation: cancellation)
    }
  }
}

extension LinkResult: RowCounting {
  var rowCount: Int { changed }
}
