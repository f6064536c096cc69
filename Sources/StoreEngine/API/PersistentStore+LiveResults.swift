import StoreDiagnostics
import StoreLayout
import SQLiteAccess
import PredicateSQL
public import StoreModel
import StorePredicate
import StoreCore

extension PersistentStore {
  /// Fetches the rows of a request and keeps the list up to date.
  ///
  ///     let results = try await store.liveResults(
  ///       StoreFetchRequest(entity: "Employee", sort: [SortKey(name)], sections: departmentName))
  ///     for section in results.list.sections { print(section.name, section.count) }
  ///     for try await change in results.changes { print(change.difference) }
  ///
  /// - Parameters:
  ///   - request: rows, object IDs or values of rows. `sections` specifies the value that divides the rows into
  ///     sections. The rows are sorted by it first.
  ///   - tracking: how the list follows the store.
  ///   - indexTitle: returns the title of a section in the section index, from the name of the section.
  /// - Returns: the list and its changes.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model or its result isn't a
  ///   list of rows (counts, groups, distinct rows and aggregates), `locked`, `inputOutput`, or `damaged`;
  ///   `CancellationError`.
  public func liveResults(
    _ request: StoreFetchRequest, tracking: ResultTracking = .memory,
    indexTitle: @escaping ResultList.IndexTitle = ResultList.firstLetter
  ) async throws -> LiveResults<FetchedRow> {
    var whole = request
    switch request.result {
    case .rows, .objectIDs: whole.result = .values(rowValues(of: request.entity))
    case .values(let values): whole.result = .values([.ownID] + values)
    case .count: break
    }
    return try await follow(whole, tracking, indexTitle) { reader, id in
      FetchedRow(id: id, values: try reader.readRow().values)
    }
  }

  /// Fetches the rows of a query in sections and keeps the list up to date.
  ///
  ///     let results = try await store.liveResults(Item.all.ordered(by: \.name), sectionedBy: \.list.title)
  ///     let first = try await results.row(results.list[ResultIndexPath(section: 0, row: 0)])
  ///
  /// - Parameters:
  ///   - query: the rows and their order.
  ///   - path: the value that divides the rows into sections. The rows are sorted by it first.
  ///   - tracking: how the list follows the store.
  ///   - indexTitle: returns the title of a section in the section index, from the name of the section.
  /// - Returns: the list and its changes. Reading a row throws `invalidData` if it contains a value that its Swift type
  ///   can't represent.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the query doesn't fit the model, `locked`,
  ///   `inputOutput`, or `damaged`; `CancellationError`.
  public func liveResults<Object: StoredObject, T: TypedTerm>(
    _ query: TypedQuery<Object>, sectionedBy path: TermPath<Object, T>,
    tracking: ResultTracking = .memory,
    indexTitle: @escaping ResultList.IndexTitle = ResultList.firstLetter
  ) async throws -> LiveResults<Stored<Object>> where T.Owner == Object {
    try await liveResults(query.sectioned(by: path), tracking: tracking, indexTitle: indexTitle)
  }

  /// Fetches the rows of a query in one section and keeps the list up to date.
  ///
  /// - Parameters:
  ///   - query: the rows and their order.
  ///   - tracking: how the list follows the store.
  ///   - indexTitle: returns the title of a section in the section index, from the name of the section.
  /// - Returns: the list and its changes. Reading a row throws `invalidData` if it contains a value that its Swift type
  ///   can't represent.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the query doesn't fit the model, `locked`,
  ///   `inputOutput`, or `damaged`; `CancellationError`.
  public func liveResults<Object: StoredObject>(
    _ query: TypedQuery<Object>, tracking: ResultTracking = .memory,
    indexTitle: @escaping ResultList.IndexTitle = ResultList.firstLetter
  ) async throws -> LiveResults<Stored<Object>> {
    try await follow(query.request, tracking, indexTitle) { reader, _ in
      try query.row(from: &reader)
    }
  }

  /// - Parameter read: creates a row from the values of the request and the object ID.
  private func follow<Row: Sendable>(
    _ request: StoreFetchRequest, _ tracking: ResultTracking,
    _ indexTitle: @escaping ResultList.IndexTitle,
    read: @escaping @Sendable (inout PackedRowReader, ObjectID) throws -> Row
  ) async throws -> LiveResults<Row> {
    let query = try await perform(StoreRequest(.liveResults, of: request.entity)) { [self] _, _ in
      try request.resultQuery(in: layout, storeUUID: store.metadata.uuid)
    }
    let context = RowContext(
      layout: layout, store: store.metadata.uuid,
      externalFolder: ExternalFolder(path: store.externalDataFolder))
    let cache: ResultCache? =
      if case .cached(let name, let folder) = tracking {
        ResultCache(
          named: name, in: folder.map { LocalPath($0) } ?? ResultCache.folder(beside: file),
          of: query, store: context.store)
      } else { nil }
    let followed = try await following.add { [following] store, cancellation in
      let rows = try RequestedRows(
        query, from: store, context, indexTitle: indexTitle, after: cache?.load(),
        cancellation: cancellation)
      return FollowedRows(rows, in: following, follows: tracking != .none, savingTo: cache)
    }
    let plan = ReadingPlan(query.row.columns, for: request, in: store, layout)
    return LiveResults(followed) { id, rows in
      var reader = PackedRowReader(rows, by: plan, rowsBefore: 0)
      _ = reader.nextRow()
      return try read(&reader, id)
    }
  }

  /// Removes the files that `ResultTracking.cached` created. A list that is open remains in memory. If it has changed,
  /// it writes its file again when it ends.
  ///
  /// - Parameters:
  ///   - name: the name of the list. `nil` removes the files of all lists.
  ///   - folder: the folder that was passed to `cached`.
  /// - Throws: `StoreError` with the reason `inputOutput` if a file can't be removed. Missing files aren't an error.
  public func deleteCache(named name: String?, in folder: String? = nil) throws {
    do {
      try ResultCache.remove(
        name, in: folder.map { LocalPath($0) } ?? ResultCache.folder(beside: file))
    } catch {
      throw StoreError.translating(error)
    }
  }
}
