import PredicateSQL
import StoreLayout
public import StoreModel
import StoreCore

extension PersistentStore {
  /// Links all rows that match on both sides of a relationship, or unlinks them. It updates columns, join tables,
  /// positions in ordered relationships, and the persistent history.
  ///
  ///     let join = BatchLink(
  ///       .link, entity: "Group", relationship: "members",
  ///       where: try FormatPredicate(parsing: "name == 'Choir'"),
  ///       to: try FormatPredicate(parsing: "city.name == 'Zürich'"))
  ///     let outcome = try await store.batchLink(join)
  ///     print(outcome.changed, "links,", outcome.replaced, "replaced")
  ///
  /// Rows that are already linked remain unchanged. A row that can have only one partner is unlinked from its previous
  /// partner.
  ///
  /// - Parameters:
  ///   - request: the two sides, and whether to link or unlink them.
  ///   - author: the author of the change in the persistent history.
  ///   - result: the form of the result. The default is the counts. Object IDs include the rows on both sides whose
  ///     relationships changed.
  /// - Throws: `StoreError`: `invalidRequest` for a request that doesn't fit the model or contains an invalid position;
  ///   `invalidData` for several partners of a row that can have only one, for a row without a required partner, and
  ///   for too many or too few members; `notUnique`, `locked`, `inputOutput`; `CancellationError`. The store is then
  ///   unchanged.
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

  /// Returns the result that `batchLink` would have now, without changing the store.
  ///
  /// - Parameter request: the two sides, and whether to link or unlink them.
  /// - Throws: the errors of `batchLink`, except for violated uniqueness constraints.
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
