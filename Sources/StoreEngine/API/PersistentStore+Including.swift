public import StoreModel
import StoreCore

extension PersistentStore {
  /// The rows of a query, with what stands at the other end of relationships.
  ///
  /// - Throws: as `fetch` of a query.
  public func fetch<Object: StoredObject>(
    _ request: Including<Object>
  ) async throws -> [Included<Object>] {
    try await included(request)
  }

  /// The first row of a query, with what stands at the other end of its relationships; nil where there is none.
  ///
  /// - Throws: as `fetch` of a query.
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
  /// The rows of a query, with what stands at the other end of relationships.
  ///
  /// - Throws: as `PersistentStore.fetch`.
  public func fetch<Object: StoredObject>(
    _ request: Including<Object>
  ) throws -> [Included<Object>] {
    try included(request)
  }

  /// The first row of a query, with what stands at the other end of its relationships; nil where there is none.
  ///
  /// - Throws: as `PersistentStore.fetch`.
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
        try IncludedReading(owner: owner, connection: connection, cancellation: cancellation)
          .rows(of: request, limit: limit)
      }
    }
  }
}
