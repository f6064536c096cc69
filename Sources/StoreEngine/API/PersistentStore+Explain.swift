import PredicateSQL
import SQLiteAccess
import StoreCore
import StoreLayout
public import StoreModel

extension PersistentStore {
  /// Returns the SQL of a typed request and SQLite's plan for it, without running the request.
  ///
  ///     let explanation = try await store.explain(Item.all.where(\.priority > 3).ordered(by: \.name))
  ///     print(explanation)      // SELECT … and the lines of the plan
  ///     for index in explanation.advisedIndexes { print(index.entity, index.property) }
  ///
  /// If a table has more than 10,000 rows, it also finds indexes that would make the request faster, which takes
  /// milliseconds.
  ///
  /// - Parameter request: the request.
  /// - Returns: the explanation.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  public func explain(_ request: some TypedRequest) async throws -> RequestExplanation {
    try await explanation(of: request.request)
  }

  /// Returns the SQL of an untyped fetch request and SQLite's plan for it, without running the request.
  ///
  /// - Parameters:
  ///   - request: the rows to fetch.
  ///   - result: what a fetch would return. The default is rows.
  /// - Returns: the explanation.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  public func explain<Returned>(
    _ request: StoreFetchRequest, returning result: FetchResult<Returned> = .rows
  ) async throws -> RequestExplanation {
    try await explanation(of: prepared(request, for: result.form))
  }

  private func explanation(of request: StoreFetchRequest) async throws -> RequestExplanation {
    try await performReading(StoreRequest(.explain, of: request.entity)) {
      [self] connection, _, _ in
      let query = try request.sql(in: layout, storeUUID: store.metadata.uuid)
      return RequestExplanation(try Explanation(query.sql, in: layout, on: connection))
    }
  }
}
