package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
package import StoreCore

/// What a target above needs to write rows in a way of its own, in one transaction.
package struct InsertionContext {
  package let connection: Connection
  package let layout: StoreLayout
  /// Its UUID.
  package let store: String
  package let session: HistorySession
  package let cancellation: Cancellation
}

extension PersistentStore {
  /// Adds rows in its turn, all or none.
  ///
  /// - Throws: as `batchInsert`; what `body` throws, translated.
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
