package import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
package import StoreLayout

// Functions for targets that read or write rows themselves.

/// The state of a write transaction, for targets that insert rows themselves.
package struct InsertionContext {
  package let connection: Connection
  package let layout: StoreLayout
  /// The UUID of the store.
  package let store: String
  package let session: HistorySession
  package let cancellation: Cancellation
}

extension PersistentStore {
  /// Inserts rows on the store's queue, in one transaction.
  ///
  /// - Throws: the errors of `body`, translated into `StoreError` if they come from storetool; `CancellationError`.
  package func insertRows<Result: Sendable>(
    as author: ChangeAuthor, _ body: @escaping @Sendable (InsertionContext) throws -> Result
  ) async throws -> Result {
    try await perform(StoreRequest(.batchInsert)) { [self] cancellation, _ in
      try store.transact(as: author.origin, cancellation: cancellation) { open in
        try body(
          InsertionContext(
            connection: open.connection, layout: layout, store: store.metadata.uuid,
            session: open.session, cancellation: cancellation))
      }.result
    }
  }
}

/// The state of a read transaction, for targets that read rows themselves.
package struct ReadingContext {
  package let connection: Connection
  /// The open store. `connection` can be another connection to it.
  package let store: Store
  package let layout: StoreLayout
  package let cancellation: Cancellation
}

extension PersistentStore {
  /// Runs `body` in a read transaction, on a connection of the reader pool if possible.
  ///
  /// - Throws: the errors of `body`, translated into `StoreError` if they come from storetool; `CancellationError`.
  package func reading<Result: Sendable>(
    for kind: StoreRequest.Kind, _ body: @escaping @Sendable (ReadingContext) throws -> Result
  ) async throws -> Result {
    try await performReading(StoreRequest(kind)) { [self] connection, cancellation, _ in
      try body(
        ReadingContext(
          connection: connection, store: store, layout: layout, cancellation: cancellation))
    }
  }

  /// Runs long work in a read transaction on a separate connection, which can use temporary tables.
  ///
  /// - Throws: the errors of `readingApart`.
  package func readingApart<Result: Sendable>(
    for kind: StoreRequest.Kind, _ body: @escaping @Sendable (ReadingContext) throws -> Result
  ) async throws -> Result {
    try await readingApart(for: kind, with: []) { [store] readers, cancellation in
      try readers[0].store.read(cancellation: cancellation) { connection in
        try store.mappingErrors(connection) {
          try body(
            ReadingContext(
              connection: connection, store: store, layout: readers[0].layout,
              cancellation: cancellation))
        }
      }
    }
  }

  /// Runs long work that reads the store and other stores, each on a separate connection. Other requests don't wait for
  /// the work, unless a store has a rollback journal.
  ///
  /// - Parameter body: the work. Its first argument contains the readers of the store and of `others`, with their
  ///   layouts.
  /// - Throws: the errors of `body`, translated into `StoreError` if they come from storetool; `CancellationError`.
  package func readingApart<Result: Sendable>(
    for kind: StoreRequest.Kind, with others: [PersistentStore],
    _ body:
      @escaping @Sendable ([(store: Store, layout: StoreLayout)], Cancellation) throws ->
      Result
  ) async throws -> Result {
    let request = StoreRequest(kind)
    return try await followed(request) { run in
      try await SerialWorker(named: "storetool.\(kind.rawValue)").run { [self] cancellation in
        do {
          let readers = try ([self] + others).map { store in
            (store: try store.separateReader(), layout: store.layout)
          }
          let work = { try body(readers, cancellation) }
          let result = Swift.Result {
            guard let run else { return try work() }
            return try run.work(on: readers[0].store.database, work)
          }
          for reader in readers { try reader.store.close() }
          return try result.get()
        } catch {
          throw translating(error, of: request)
        }
      }
    }
  }

  /// - Throws: `DatabaseError.writtenMeanwhile` if the file was replaced by a store that doesn't have the layout or the
  ///   object IDs of this store.
  private func separateReader() throws -> Store {
    try requireOpen()
    let reader = try Self.openedReader(file, options)
    guard reader.metadata.uuid == store.metadata.uuid,
      reader.metadata.hashes == store.metadata.hashes
    else { throw DatabaseError.writtenMeanwhile(path: file) }
    return reader
  }

  /// Opens another connection that reads.
  ///
  /// Only a store that is open for reading requires the worker that opens stores. The connection for writing has opened
  /// the -shm file of other stores.
  static func openedReader(_ path: LocalPath, _ options: Options) throws -> Store {
    let reader =
      options.isReadOnly
      ? try opener.runNow { try Store.open(path, .reading, lockTimeout: options.lockTimeout) }
      : try Store.openReader(path, lockTimeout: options.lockTimeout)
    try reader.database.followStatements(for: options.observer)
    return reader
  }
}
