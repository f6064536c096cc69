package import SQLiteAccess
public import StorePredicate

/// The rows of a request in their order and sections, kept up to date while the store changes, like Core Data's
/// `NSFetchedResultsController`.
///
///     let results = try await store.liveResults(
///       StoreFetchRequest(entity: "Item", sort: [SortKey(name)], sections: list))
///     var shown = results.list
///     for try await change in results.changes(since: shown) {
///       tableView.performBatchUpdates { apply(change.difference) }
///       shown = change.list
///     }
///
/// The list includes changes by requests to this store, by other connections, and by other processes, the latter after
/// about ten milliseconds. A row has changed if a value that the request reads has changed. Sections and order also
/// depend on values of related rows.
///
/// The store is read with a separate connection, one state after another. In WAL mode, writers don't wait for it. With
/// a rollback journal, writers wait while it reads. The list is kept up to date as long as this value or a sequence of
/// its changes exists and the store is open.
public final class LiveResults<Row: Sendable>: Sendable {
  private let feed: ResultFeed
  private let decode: @Sendable (ObjectID, PackedRows) throws -> Row

  package init(_ feed: ResultFeed, decode: @escaping @Sendable (ObjectID, PackedRows) throws -> Row)
  {
    self.feed = feed
    self.decode = decode
  }

  /// The current list.
  public var list: ResultList { feed.list }

  /// The changes from now on.
  public var changes: ResultChanges { changes(since: list) }

  /// Returns the changes since a list of these results.
  ///
  /// - Parameter list: a previous list.
  public func changes(since list: ResultList) -> ResultChanges {
    ResultChanges(feed: feed, start: list)
  }

  /// Returns the current values of rows, in the order of the IDs. They are nil for a row that is deleted or doesn't
  /// match any more, whose change follows in `changes`.
  ///
  ///     let rows = try await results.rows(results.list.objectIDs.prefix(50))
  ///
  /// - Parameter ids: the object IDs of the rows.
  /// - Throws: `StoreError`: `closed`, `inputOutput`, `damaged`, `locked`; `CancellationError`.
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

  /// Returns the current values of a row, or nil if it is deleted or doesn't match any more.
  ///
  /// - Parameter id: the object ID of the row.
  /// - Throws: `StoreError`: `closed`, `inputOutput`, `damaged`, `locked`; `CancellationError`.
  public func row(_ id: ObjectID) async throws -> Row? {
    try await rows(CollectionOfOne(id)).first ?? nil
  }
}

/// A change of a list.
public struct ResultChange: Sendable {
  /// The list before the change.
  public let old: ResultList
  /// The list after the change.
  public let list: ResultList
  /// The difference between both lists, which is never empty.
  public let difference: ResultDifference
}

/// The changes of a list, one after another.
///
/// Changes that occur while a program handles one are combined: the next difference is between the program's list and
/// the current list. Changes aren't buffered for a program that doesn't read them. The sequence ends when the store is
/// closed. It throws `CancellationError` in a canceled task, and `StoreError` if the store can't be read any more.
/// Results without tracking have no changes.
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
        // Rows outside of the request's limit changed, or the list is the same again.
        guard !difference.isEmpty else { continue }
        return ResultChange(old: old, list: newest, difference: difference)
      }
      return nil
    }
  }
}

/// The way a list of results is kept up to date.
public enum ResultTracking: Hashable, Sendable {
  /// The list isn't kept up to date, and there are no changes.
  case none
  /// The list is kept in memory, and includes all changes.
  case memory
  /// The list is kept in memory and its order and sections also in a file, so that the next list of the same request
  /// doesn't need to be sorted.
  ///
  /// Changes since the file was written are found by reading the values of the rows, so the list is always correct. A
  /// file of another store or request is ignored and replaced. `PersistentStore.deleteCache` removes it.
  ///
  /// - Parameters:
  ///   - name: a unique name of the list, such as the name of the screen that displays it.
  ///   - folder: the folder of the file. Nil means the folder `.Todo_RESULTS` in the folder of the store `Todo.sqlite`.
  case cached(name: String, folder: String? = nil)
}
