import SQLiteAccess
import StoreCore
import StoreDiagnostics
import Synchronization

/// The list of a request, which is kept up to date and passed to waiting tasks.
package final class FollowedRows: StoreFollower {
  private let following: StoreFollowing
  /// Nil after the list has ended.
  private let rows: Mutex<RequestedRows?>
  private let latest: LatestValue<ResultList>
  private let cancellation = Cancellation()
  /// The file in which the list is stored at the start and at the end.
  private let cache: ResultCache?
  private let firstGeneration: Int
  let needsChecks: Bool

  /// - Parameter follows: false for rows that are read once.
  init(
    _ rows: RequestedRows, in following: StoreFollowing, follows: Bool, savingTo cache: ResultCache?
  ) {
    self.following = following
    self.cache = cache
    needsChecks = follows
    firstGeneration = rows.list.generation
    latest = LatestValue(rows.list, generation: rows.list.generation)
    self.rows = Mutex(rows)
    // Generation 0 means that the list is unchanged since it was loaded from the cache.
    if rows.list.generation > 0 { cache?.save(rows.kept) }
  }

  deinit {
    save()
    following.hasten()
  }

  /// Stores the list in its cache if it has changed since the start. Only the first call has an effect.
  private func save() {
    let rows = rows.withLock { rows in
      defer { rows = nil }
      return rows
    }
    if let rows, rows.list.generation > firstGeneration { cache?.save(rows.kept) }
  }

  var list: ResultList { latest.value }

  func update(from store: Store) throws {
    guard needsChecks else { return }
    let list = try rows.withLock { try $0?.update(from: store, cancellation: cancellation) }
    if let list { latest.replace(with: list, generation: list.generation) }
  }

  func end(_ result: Result<Void, any Error>) {
    latest.end(result)
    cancellation.request()
    following.worker.schedule { self.save() }
  }

  /// Waits until there is a list with another generation, and returns it. Returns nil if the list has ended.
  ///
  /// - Throws: `StoreError` if reading fails; `CancellationError`.
  func list(after generation: Int) async throws -> ResultList? {
    try await latest.next(after: generation)
  }

  /// Runs work with the rows and the connection that reads them.
  ///
  /// - Throws: `StoreError`, `CancellationError`.
  func perform<Result: Sendable>(
    _ work: @escaping @Sendable (RequestedRows, Store, Cancellation) throws -> Result
  ) async throws -> Result {
    try await following.perform { [self] store, cancellation in
      try rows.withLock { rows in
        guard let rows else { throw StoreError.closed(following.path) }
        return try work(rows, store, cancellation)
      }
    }
  }
}
