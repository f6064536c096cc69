public import StoreModel

extension PersistentStore {
  /// Fetches the rows of a request and keeps their list up to date.
  ///
  ///     let results = try await store.liveResults(
  ///       FetchRequest(entity: "Employee", sort: [SortKey(name)], sections: departmentName))
  ///     for section in results.list.sections { print(section.name, section.count) }
  ///     for try await change in results.changes { print(change.difference) }
  ///
  /// - Parameters:
  ///   - request: rows, object IDs or values of rows; `sections` names what sections are made of, and
  ///     sorts first.
  ///   - tracking: how the list follows the store.
  ///   - indexTitle: makes the title of a section in an index beside the list, of its name.
  /// - Throws: `StoreFailure`: `invalidRequest` for what does not fit the model, or whose result is no list
  ///   of rows: a count, groups, distinct rows, aggregates; `locked`, `inputOutput`, `damaged`;
  ///   `CancellationError`.
  public func liveResults(
    _ request: FetchRequest, tracking: ResultTracking = .memory,
    indexTitle: @escaping ResultList.IndexTitle = ResultList.firstLetter
  ) async throws -> FetchedResults<FetchedRow> {
    let context = rowContext
    let query = try await perform { [self] _ in
      try request.resultQuery(in: layout, storeUUID: store.metadata.uuid)
    }
    let feed = try await feed(query, context, tracking, indexTitle)
    let decoder = FetchedRowDecoder(query, feed.list.source, context)
    return FetchedResults(feed) { id, row in try decoder.row(id, of: row) }
  }

  private var rowContext: RowContext {
    RowContext(
      layout: layout, store: store.metadata.uuid,
      externalFolder: ExternalFolder(path: store.externalDataFolder))
  }

  private func feed(
    _ query: ResultQuery, _ context: RowContext, _ tracking: ResultTracking,
    _ indexTitle: @escaping ResultList.IndexTitle
  ) async throws -> ResultFeed {
    let cache: ResultCache? =
      if case .cached(let name, let folder) = tracking {
        ResultCache(
          named: name, in: folder ?? ResultCache.folder(beside: path), of: query,
          store: context.store)
      } else { nil }
    let worker = SerialWorker(named: "storetool.results")
    let feed = try await worker.run { [path] cancellation in
      do {
        let rows = try LiveRows(
          query, of: path, .besideWriter, context, indexTitle: indexTitle, after: cache?.load(),
          cancellation: cancellation)
        return ResultFeed(
          rows, of: path, on: worker, follows: tracking != .none, savingTo: cache)
      } catch {
        throw StoreFailure.translating(error)
      }
    }
    try follow(feed)
    return feed
  }

  /// Removes the file that a list with this name was kept in by `ResultTracking.cached`, or those of all
  /// names. Lists that are open keep theirs in memory, and write them anew when they end.
  ///
  /// - Parameter folder: as given to `cached`.
  /// - Throws: `StoreFailure` with the reason `inputOutput` for a file that can't be removed; none that
  ///   is not there.
  public func deleteCache(named name: String?, in folder: String? = nil) throws {
    do {
      try ResultCache.remove(name, in: folder ?? ResultCache.folder(beside: path))
    } catch {
      throw StoreFailure.translating(error)
    }
  }
}
