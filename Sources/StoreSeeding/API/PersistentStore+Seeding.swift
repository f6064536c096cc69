public import StoreModel
public import StoreEngine
import StoreDiagnostics

extension PersistentStore {
  /// Adds made-up rows that the model accepts, all or none: what tests and previews need.
  ///
  ///     try await store.seed(["List": 10, "Item": 1_000])
  ///
  /// Values keep to the model's rules (bounds, lengths, regular expressions, uniqueness) and read like their
  /// attribute's name; relationships lead to other new rows, with as many members as the model allows. A relationship
  /// that is required and has no new row to lead to leads to rows that are there. Equal seeds make equal rows, for the
  /// same model and the same rows before.
  ///
  /// - Parameters:
  ///   - counts: how many rows of each entity; nil for some of all.
  ///   - seed: what the values are drawn with.
  ///   - author: who makes the change, for the persistent history.
  ///   - progress: called on another thread each few hundred rows with those written so far.
  /// - Returns: how many rows each entity got.
  /// - Throws: `StoreError`: `invalidRequest` for an entity that is none, and for rows that the model's rules do not
  ///   allow in that number, naming the attribute or relationship; `locked`, `inputOutput`; `CancellationError`. The
  ///   store is then as it was.
  @discardableResult
  public func seed(
    _ counts: [String: Int]? = nil, seed: UInt64 = 1, author: ChangeAuthor = .storetool,
    progress: (@Sendable (BatchProgress) -> Void)? = nil
  ) async throws -> [String: Int] {
    let seeding = Seeding(counts: counts, seed: seed)
    return try await insertRows(as: author) { writing in
      do {
        let plan = try SeedPlan(seeding, in: writing.layout, on: writing.connection)
        let run = SeedRun(
          plan, store: writing.store, cancellation: writing.cancellation, session: writing.session)
        return try run.run(on: writing.connection) {
          progress?(BatchProgress(rows: $0, total: plan.rowCount))
        }
      } catch let error as SeedError {
        throw StoreError(.invalidRequest, error.diagnostics)
      }
    }
  }
}
