package import SQLiteAccess
public import StorePredicate

/// The rows of a request in their order and sections, kept up to date while the store changes: what
/// Core Data's `NSFetchedResultsController` is for.
///
///     let results = try await store.liveResults(
///       StoreFetchRequest(entity: "Item", sort: [SortKey(name)], sections: list))
///     var shown = results.list
///     for try await change in results.changes(since: shown) {
///       tableView.performBatchUpdates { apply(change.difference) }
///       shown = change.list
///     }
///
/// Changes are seen whoever makes them: requests of this store, other connections, and other processes,
/// these within some ten milliseconds. A row has changed when a value that the request asks for has; sections and
/// order follow the values of other rows that they are made of.
///
/// The store is read over a connection of its own, one state after the other, and in WAL mode no
/// writer waits for it; beside a rollback journal, writers wait while it reads. It follows the store as
/// long as the value, or a sequence of its changes, lives, and the store is open.
public final class LiveResults<Row: Sendable>: Sendable {
  private let feed: ResultFeed
  private let decode: @Sendable (ObjectID, PackedRows) throws -> Row

  package init(_ feed: ResultFeed, decode: @escaping @Sendable (ObjectID, PackedRows) throws -> Row)
  {
    self.feed = feed
    self.decode = decode
  }

  /// The newest list.
  public var list: ResultList { feed.list }

  /// What changes from now on.
  public var changes: ResultChanges { changes(since: list) }

  /// What has changed since a list of these results, and what changes from now on.
  public func changes(since list: ResultList) -> ResultChanges {
    ResultChanges(feed: feed, start: list)
  }

  /// The values of some rows as they are now, in the order of the IDs; nil for a row that is gone or does
  /// not match any more: the change that says so is on its way.
  ///
  ///     let rows = try await results.rows(results.list.objectIDs.prefix(50))
  ///
  /// - Throws: `StoreError`: `closed` when the store was closed, `inputOutput`, `damaged`,
  ///   `locked`; `CancellationError`.
  public func rows(_ ids: some Collection<ObjectID>) async throws -> [Row?] {
    let wanted = Array(ids)
    let decode = decode
    let named = Dictionary(wanted.map { ($0.primaryKey, $0) }) { first, _ in first }
    let found = try await feed.perform { rows, cancellation in
      var found: [Int64: Row] = [:]
      try rows.readRows(withKeys: Array(named.keys), cancellation: cancellation) { row, key in
        if let id = named[key] { found[key] = try decode(id, row) }
      }
      return found
    }
    return wanted.map { found[$0.primaryKey] }
  }

  /// The values of one row as they are now; nil when it is gone.
  ///
  /// - Throws: as `rows`.
  public func row(_ id: ObjectID) async throws -> Row? {
    try await rows(CollectionOfOne(id)).first ?? nil
  }
}

/// One change of a list.
public struct ResultChange: Sendable {
  /// As it was: the list of the change before.
  public let old: ResultList
  /// As it is.
  public let list: ResultList
  /// What makes the one into the other; never empty.
  public let difference: ResultDifference
}

/// The changes of a list, one behind the other.
///
/// Several changes that come while a program is busy with one are put together: the next difference is
/// from the list that it has to the newest, and nothing is kept for who does not ask. The sequence
/// ends when the store is closed, and throws `CancellationError` in a task that is cancelled,
/// `StoreError` when the store can't be read any more. Rows that are fetched without tracking have no changes.
public struct ResultChanges: AsyncSequence, Sendable {
  let feed: ResultFeed
  let start: ResultList

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(feed: feed, list: start)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let feed: ResultFeed
    var list: ResultList

    public mutating func next() async throws -> ResultChange? {
      while let newest = try await feed.list(after: list.generation) {
        let old = list
        list = newest
        let difference = newest.difference(from: old)
        // Rows outside of the request's limit have changed, or all is as it was again.
        guard !difference.isEmpty else { continue }
        return ResultChange(old: old, list: newest, difference: difference)
      }
      return nil
    }
  }
}

/// How a list of results follows the store.
public enum ResultTracking: Hashable, Sendable {
  /// Not at all: the list is what it was when it was fetched, and no changes come.
  case none
  /// In memory: every change is seen, whoever makes it.
  case memory
  /// As `memory`, and the order and the sections are kept in a file, so that the next list of the
  /// same request need not sort the rows again.
  ///
  /// What has changed in between is found by reading the rows' values, so the file is never wrong; that
  /// of another store or request is ignored, and replaced. `PersistentStore.deleteCache` removes it.
  ///
  /// - Parameters:
  ///   - name: one for each list, such as the name of the screen that shows it.
  ///   - folder: where the file is; nil is the folder `.Todo_RESULTS` beside the store `Todo.sqlite`.
  case cached(name: String, folder: String? = nil)
}
