import StoreLayout
import SQLiteAccess
public import StorePredicate
import StoreCore

/// The object IDs of the rows that a batch request has changed.
///
///     for try await id in ids { print(id.uri) }
///
/// The IDs are read on demand, a thousand at a time, from a temporary table that exists as long as this value or a copy
/// of it. They therefore use little memory, later requests don't change them, and they can be iterated more than once.
/// Reading waits for other requests to the same store.
///
/// Iterating throws a `StoreError` if the store was closed or can't be read, and `CancellationError` if the task was
/// cancelled.
public struct ObjectIDs: AsyncSequence, Sendable {
  /// The number of object IDs.
  public let count: Int
  let kept: KeptKeys

  /// Returns an iterator that starts with the first object ID.
  ///
  /// - Returns: the iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(kept: kept) }

  /// An iterator over object IDs.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let kept: KeptKeys
    var page: ArraySlice<ObjectID> = []
    var last: Int64 = 0

    /// Returns the next object ID, or `nil` at the end.
    ///
    /// - Returns: the next object ID.
    /// - Throws: `StoreError` if reading fails or the store was closed; `CancellationError`.
    public mutating func next() async throws -> ObjectID? {
      if page.isEmpty {
        page = try await kept.page(after: last)[...]
        last += Int64(page.count)
      }
      return page.popFirst()
    }
  }
}

/// A temporary table of a store's connection with the keys of the rows that a request changed.
final class KeptKeys: Sendable {
  private let store: PersistentStore
  private let table: String

  private static let pageSize = 1_000

  init(in store: PersistentStore) {
    self.store = store
    table = "storetool_kept_\(store.nextKeptNumber())"
  }

  deinit {
    store.scheduleCleaning { [table] in $0.discardKeys(in: table) }
  }

  /// Fills the table. Call it once, in the transaction that changes the rows.
  ///
  /// - Parameter keys: a SELECT of key and entity number.
  /// - Returns: the number of keys.
  func fill(with keys: SQL, on connection: Connection) throws(DatabaseError) -> Int {
    try connection.run(
      "CREATE TEMP TABLE \(name: table) (place INTEGER PRIMARY KEY, key INTEGER, entity INTEGER)")
    return try connection.run("INSERT INTO temp.\(name: table) (key, entity) \(keys)")
  }

  /// Returns up to a thousand IDs after a position in the table. Positions start at 1.
  func page(after place: Int64) async throws -> [ObjectID] {
    try await store.perform(StoreRequest(.objectIDs)) { [self] _, _ in
      try store.store.read { try ids(after: place, limit: Self.pageSize, on: $0) }
    }
  }

  /// Returns all IDs. Must be called in the transaction that has filled the table.
  func all(on connection: Connection) throws(DatabaseError) -> [ObjectID] {
    try ids(after: 0, limit: .max, on: connection)
  }

  private func ids(
    after place: Int64, limit: Int, on connection: Connection
  ) throws(DatabaseError) -> [ObjectID] {
    var statement = try connection.prepare(
      """
      SELECT key, entity FROM temp.\(name: table) WHERE place > \(value: .integer(place)) \
      ORDER BY place LIMIT \(value: .integer(Int64(limit)))
      """)
    var ids: [ObjectID] = []
    while try statement.step() {
      ids.append(
        ObjectID(
          store: store.store.metadata.uuid,
          entity: store.layout.name(ofEntity: statement.integer(at: 1)),
          primaryKey: statement.integer(at: 0)))
    }
    return ids
  }
}

extension Store {
  /// Drops a table of keys. If this fails, the table is dropped with the connection.
  fileprivate func discardKeys(in table: String) {
    do {
      _ = try database.use { try $0.run("DROP TABLE IF EXISTS temp.\(name: table)") }
    } catch {
      return
    }
  }
}
