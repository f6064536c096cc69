public import StoreModel

extension PersistentStore {
  /// Returns the rows of a request as a sequence of batches, which are read on demand.
  ///
  ///     for try await batch in store.stream(Item.all.where(\.done == false), countsTotal: true) {
  ///       print(batch.progress.rows, "of", batch.progress.total ?? 0)
  ///       for item in batch { … }
  ///     }
  ///
  /// All batches are from one state of the store: the state at the first batch. Each loop over the stream has its own
  /// connection, so requests to this store and other programs don't wait for it, and it doesn't wait for them.
  /// Canceling the task ends the wait for a batch immediately.
  ///
  /// In a store with a rollback journal, a reader would lock writers out. The complete result is therefore first copied
  /// to a temporary file.
  ///
  /// - Parameters:
  ///   - request: the rows to fetch.
  ///   - batchSize: the number of rows in a batch. The last batch can be smaller.
  ///   - countsTotal: whether to count the rows first, for the `total` of the progress. It takes as long as a count.
  @inlinable
  public func stream<Request: TypedRequest>(
    _ request: Request, batchSize: Int = 500, countsTotal: Bool = false
  ) -> RequestStream<Request.Row> where Request.Output == [Request.Row] {
    RequestStream(
      request.request, in: self, batchSize: batchSize, countsTotal: countsTotal
    ) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
  }
}

/// The rows of a request in batches.
///
/// Iterating throws `StoreError`, with the reason `closed` if the store is closed, and `CancellationError`. The batches
/// before an error are valid.
public struct RequestStream<Row: Sendable>: AsyncSequence, Sendable {
  let source: StreamSource<Row>

  @usableFromInline
  init(
    _ request: StoreFetchRequest, in store: PersistentStore, batchSize: Int, countsTotal: Bool,
    decode: @escaping @Sendable (inout PackedRowReader, inout [Row]) throws -> Void
  ) {
    source = StreamSource(
      store: store, request: request, batchSize: Swift.max(1, batchSize), countsTotal: countsTotal,
      decode: decode)
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(cursor: StreamCursor(source))
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    let cursor: StreamCursor<Row>

    public mutating func next() async throws -> StreamBatch<Row>? {
      try await cursor.next()
    }
  }
}

/// The rows of one batch.
public struct StreamBatch<Row: Sendable>: RandomAccessCollection, Sendable {
  let rows: [Row]
  /// The number of rows read so far, including this batch, and the total if it was requested.
  public let progress: BatchProgress

  public var startIndex: Int { rows.startIndex }
  public var endIndex: Int { rows.endIndex }
  public subscript(position: Int) -> Row { rows[position] }
}

extension StreamBatch: Equatable where Row: Equatable {}
