public import StoreModel
public import StoreEngine
import StoreDiagnostics

extension PersistentStore {
  /// Inserts generated rows that satisfy the model, for tests and previews. If an error is thrown, no row is inserted.
  ///
  ///     try await store.seed(["List": 10, "Item": 1_000])
  ///
  /// Values satisfy the rules of the model (bounds, lengths, regular expressions, uniqueness) and are similar to real
  /// data, according to the name of the attribute. Relationships lead to new rows, and have numbers of members that the
  /// model allows. A required to-one relationship leads to existing rows if its destination has no new rows. The same
  /// seed creates the same rows for the same model and the same existing rows.
  ///
  /// - Parameters:
  ///   - counts: The number of rows of each entity. If it is nil, about 100 rows of each concrete entity are created.
  ///   - seed: The seed of the random numbers.
  ///   - author: The author of the change in the persistent history.
  ///   - progress: A function that is called on another thread after every few hundred rows, with the number of rows so
  ///     far.
  /// - Returns: The number of new rows of each entity.
  /// - Throws: `CancellationError` or `StoreError`. The reason of the error is `invalidRequest` if an entity doesn't
  ///   exist or the model doesn't allow this number of rows.
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
