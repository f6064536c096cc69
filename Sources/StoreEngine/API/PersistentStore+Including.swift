public import StoreModel
import StoreCore

extension PersistentStore {
  /// Returns the rows of a query, with the destination rows of the included relationships.
  ///
  /// - Parameter request: the query and the relationships to include.
  /// - Returns: the rows in the order of the query.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  public func fetch<Object: StoredObject>(
    _ request: Including<Object>
  ) async throws -> [Included<Object>] {
    try await included(request)
  }

  /// Returns the first row of a query, with the destination rows of the included relationships.
  ///
  /// - Parameter request: the query and the relationships to include.
  /// - Returns: the first row, or `nil` if there is none.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  public func first<Object: StoredObject>(
    _ request: Including<Object>
  ) async throws -> Included<Object>? {
    try await included(request, limit: 1).first
  }

  private func included<Object: StoredObject>(
    _ request: Including<Object>, limit: Int? = nil
  ) async throws -> [Included<Object>] {
    try await performReading(StoreRequest(.fetch, of: Object.entityName)) {
      [self] connection, cancellation, run in
      let rows = try IncludedReading(
        owner: self, connection: connection, cancellation: cancellation
      ).rows(of: request, limit: limit)
      run?.count(rows: rows.count)
      return rows
    }
  }
}

extension StoreSnapshot {
  /// Returns the rows of a query, with the destination rows of the included relationships.
  ///
  /// - Parameter request: the query and the relationships to include.
  /// - Returns: the rows in the order of the query.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  public func fetch<Object: StoredObject>(
    _ request: Including<Object>
  ) throws -> [Included<Object>] {
    try included(request)
  }

  /// Returns the first row of a query, with the destination rows of the included relationships.
  ///
  /// - Parameter request: the query and the relationships to include.
  /// - Returns: the first row, or `nil` if there is none.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  public func first<Object: StoredObject>(
    _ request: Including<Object>
  ) throws -> Included<Object>? {
    try included(request, limit: 1).first
  }

  private func included<Object: StoredObject>(
    _ request: Including<Object>, limit: Int? = nil
  ) throws -> [Included<Object>] {
    try translating {
      try owner.store.mappingErrors(connection) {
        try IncludedReading(
          owner: owner, connection: connection, cancellation: cancellation, digest: digest
        ).rows(of: request, limit: limit)
      }
    }
  }
}
