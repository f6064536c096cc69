public import StoreModel

extension PersistentStore {
  /// Returns the current result of a request, and each later result that differs from the previous one.
  ///
  ///     for try await count in store.values(of: Tea.all.where(\.stock == 0).count) { badge = count }
  ///
  /// - Parameter request: a query, a count, object IDs, a selection, an aggregate or a grouped query.
  /// - Returns: the results.
  public func values<Request: TypedRequest>(of request: Request) -> StoreValues<Request.Output> {
    values { try $0.fetch(request) }
  }

  /// Returns the current values of a selection as tuples, and all values again after each change.
  ///
  ///     for try await teas in store.values(of: Tea.all.select(\.name, \.stock)) {
  ///       for (name, stock) in teas { print(name, stock) }
  ///     }
  ///
  /// - Parameter request: a selection of values, of aggregates or of groups.
  /// - Returns: the results.
  public func values<Object: StoredObject, each Value: PropertyValue>(
    of request: TypedSelection<Object, repeat each Value>
  ) -> StoreValues<[(repeat each Value)]> {
    values { try $0.fetch(request) }
  }

  /// Returns the current rows of a query with their related rows, and all rows again after each change.
  ///
  /// - Parameter request: the query and the relationships to include.
  /// - Returns: the results.
  public func values<Object: StoredObject>(
    of request: Including<Object>
  ) -> StoreValues<[Included<Object>]> {
    values { try $0.fetch(request) }
  }

  /// Returns the current values of one row, and its values after each change. The value is `nil` while the row doesn't
  /// exist.
  ///
  ///     for try await tea in store.values(of: id) { title = tea?.name ?? "deleted" }
  ///
  /// - Parameter row: the object ID, or a row that was fetched earlier.
  /// - Returns: the values of the row.
  public func values<Object: StoredObject>(
    of row: some ObjectReference<Object>
  ) -> StoreValues<Stored<Object>?> {
    let id = row.id
    return values { try $0.object(id) }
  }

  /// Returns the current result of a closure that reads the store, and each later result that differs from the previous
  /// one.
  ///
  ///     let summaries = store.values { snapshot in
  ///       Summary(
  ///         count: try snapshot.fetch(Tea.all.count),
  ///         last: try snapshot.first(Tea.all.ordered(by: .descending(\.name))))
  ///     }
  ///
  /// The closure runs again after each write to the store, on a thread of the store. Its result must only depend on the
  /// rows that it reads: if these are the same as before, the new result is ignored.
  ///
  /// - Parameter read: reads from one state of the store.
  /// - Returns: the results. They also throw the errors of `read`.
  public func values<Output: Sendable>(
    _ read: @escaping @Sendable (StoreSnapshot) throws -> Output
  ) -> StoreValues<Output> {
    StoreValues(store: self, read: read)
  }
}
