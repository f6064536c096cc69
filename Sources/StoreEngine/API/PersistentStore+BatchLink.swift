import PredicateSQL
import StoreLayout
public import StoreModel
import StoreCore

extension PersistentStore {
  /// Links all rows of two sides that match, or ends their links. Both sides are kept right: columns, join tables,
  /// places in ordered relationships, and the persistent history.
  ///
  ///     let join = BatchLink(
  ///       .link, entity: "Group", relationship: "members",
  ///       where: try FormatPredicate(parsing: "name == 'Choir'"),
  ///       to: try FormatPredicate(parsing: "city.name == 'Zürich'"))
  ///     let outcome = try await store.batchLink(join)
  ///     print(outcome.changed, "links,", outcome.replaced, "former ones gave way")
  ///
  /// Rows that are linked already stay as they are. Where a row can have one partner it leaves the one that it had.
  ///
  /// - Parameters:
  ///   - request: the two sides, and whether to link them.
  ///   - author: who makes the change, for the persistent history.
  ///   - result: what to return; the counts if nothing is said. Object IDs are those of the rows on both sides whose
  ///     relationships have changed.
  /// - Throws: `StoreError`: `invalidRequest` for what does not fit the model, and for a position that there is not;
  ///   `invalidData` for several partners of a row that can have one, for a row without a partner that it needs, and for
  ///   more or fewer members than the model allows; `notUnique`, `locked`, `inputOutput`; `CancellationError`. The store
  ///   is then as it was.
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

  /// What `batchLink` would do now. Nothing is changed.
  ///
  /// - Throws: what `batchLink` throws, but that it does not find values that would not be unique.
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
