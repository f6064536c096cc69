package import SQLiteAccess
public import StorePredicate

/// The rows of a request in order and in sections, which are kept up to date while the store changes. The class
/// corresponds to Core Data's `NSFetchedResultsController`.
///
///     let results = try await store.liveResults(
///       StoreFetchRequest(entity: "Item", sort: [SortKey(name)], sections: list))
///     var shown = results.list
///     for try await change in results.changes(since: shown) {
///       tableView.performBatchUpdates { apply(change.difference) }
///       shown = change.list
///     }
///
/// Changes are detected regardless of their source: requests of this store, other connections, and other processes.
/// Changes of this store are detected immediately, and changes of other connections and processes within about fifty
/// milliseconds. A row has changed if a requested value has changed. The sections and the order are also updated if
/// they depend on values of other rows.
///
/// All live results of a store are read over one separate connection, one after the other. In WAL mode this doesn't
/// block writers. With a rollback journal, writers wait during a read. The results follow the store until they and the
/// sequences of their changes are released, or the store is closed.
public final class LiveResults<Row: Sendable>: Sendable {
  private let followed: FollowedRows
  private let decode: @Sendable (ObjectID, PackedRows) throws -> Row

  package init(
    _ followed: FollowedRows, decode: @escaping @Sendable (ObjectID, PackedRows) throws -> Row
  ) {
    self.followed = followed
    self.decode = decode
  }

  /// The newest list.
  public var list: ResultList { followed.list }

  /// The changes from now on.
  public var changes: ResultChanges { changes(since: list) }

  /// Returns the changes since a list of these results, including later changes.
  ///
  /// - Parameter list: a list of these results.
  /// - Returns: the changes.
  public func changes(since list: ResultList) -> ResultChanges {
    ResultChanges(followed: followed, start: list)
  }

  /// Returns the current values of the rows with the given IDs, in the order of the IDs. The value is `nil` for a row
  /// that was deleted. The next change of the list contains this deletion.
  ///
  ///     let rows = try await results.rows(results.list.objectIDs.prefix(50))
  ///
  /// - Parameter ids: the object IDs of rows in a list of these results.
  /// - Returns: the values of the rows.
  /// - Throws: `StoreError` with the reason `closed` if the store was closed, `inputOutput`, `damaged`, or `locked`;
  ///   `CancellationError`.
  public nonisolated(nonsending) func rows(
    _ ids: some Collection<ObjectID>
  ) async throws -> [Row?] {
    let wanted = Array(ids)
    let decode = decode
    let named = Dictionary(wanted.map { ($0.primaryKey, $0) }) { first, _ in first }
    let found = try await followed.perform { rows, store, cancellation in
      var found: [Int64: Row] = [:]
      try rows.readRows(
        withKeys: Array(named.keys), from: store, cancellation: cancellation
      ) { row, key in
        if let id = named[key] { found[key] = try decode(id, row) }
      }
      return found
    }
    return wanted.map { found[$0.primaryKey] }
  }

  /// Returns the current values of one row, or `nil` if the row doesn't exist any more.
  ///
  /// - Parameter id: the object ID of the row.
  /// - Returns: the values of the row.
  /// - Throws: `StoreError` with the reason `closed` if the store was closed, `inputOutput`, `damaged`, or `locked`;
  ///   `CancellationError`.
  public func row(_ id: ObjectID) async throws -> Row? {
    try await rows(CollectionOfOne(id)).first ?? nil
  }
}

/// One change of a list.
public struct ResultChange: Sendable {
  /// The list before the change.
  public let old: ResultList
  /// The list after the change.
  public let list: ResultList
  /// The difference from `old` to `list`. It is never empty.
  public let difference: ResultDifference
}

/// The changes of a list, in order.
///
/// If several changes occur while the program processes a change, they are combined: the next difference is between the
/// program's list and the newest list. The sequence ends when the store is closed. It throws `CancellationError` if the
/// task is cancelled, and `StoreError` if the store can't be read any more. With `ResultTracking.none`, the sequence
/// doesn't have elements.
public struct ResultChanges: AsyncSequence, Sendable {
  let followed: FollowedRows
  let start: ResultList

  /// Returns an iterator that starts with the next change.
  ///
  /// - Returns: the iterator.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(followed: followed, list: start)
  }

  /// An iterator over the changes of a list.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let followed: FollowedRows
    var list: ResultList

    /// Returns the next change, or `nil` after the store was closed.
    ///
    /// - Returns: the next change.
    /// - Throws: `StoreError` if the store can't be read; `CancellationError`.
    public mutating func next() async throws -> ResultChange? {
      while let newest = try await followed.list(after: list.generation) {
        let old = list
        list = newest
        let difference = newest.difference(from: old)
        // The difference is empty if only rows outside of the request's limit have changed, or if the changes were
        // undone.
        guard !difference.isEmpty else { continue }
        return ResultChange(old: old, list: newest, difference: difference)
      }
      return nil
    }
  }
}

/// How a list of results follows the store.
public enum ResultTracking: Hashable, Sendable {
  /// The list isn't updated and doesn't have changes.
  case none
  /// The list is kept in memory and receives all changes.
  case memory
  /// The list is kept in memory and receives all changes. Its order and sections are also stored in a file, so that the
  /// next list of this request doesn't need to sort the rows again.
  ///
  /// An old file doesn't cause errors, because the current values of the rows are read and compared with the file. A
  /// file of another store or request is ignored and replaced. `PersistentStore.deleteCache` removes the file.
  ///
  /// - Parameters:
  ///   - name: a unique name for the list, such as the name of a screen.
  ///   - folder: the folder of the file. The default is the folder `.Todo_RESULTS` next to the store `Todo.sqlite`.
  case cached(name: String, folder: String? = nil)
}
