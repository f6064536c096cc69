public import StoreModel

extension PersistentStore {
  /// The rows of a request batch by batch, while they are read.
  ///
  ///     for try await batch in store.stream(Item.all.where(\.done == false), countsTotal: true) {
  ///       print(batch.progress.rows, "of", batch.progress.total ?? 0)
  ///       for item in batch { … }
  ///     }
  ///
  /// All batches come from one state of the store: that of the first one. Each loop over the stream has a
  /// connection of its own, so neither requests to this store nor other programs wait for it, and
  /// it for none of them. A batch is read when it is asked for; when the task is cancelled, waiting for one ends
  /// at once.
  ///
  /// In a store with a rollback journal, where a reader would lock writers out, the whole answer is first copied
  /// into a temporary file.
  ///
  /// - Parameters:
  ///   - request: what to fetch.
  ///   - batchSize: the rows of a batch, but for the last one.
  ///   - countsTotal: whether to count the rows beforehand, for the `total` of the progress. It costs what a count
  ///     costs.
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

/// The rows of a request, some hundred at a time.
///
/// Iterating throws `StoreError` as `fetch` does, `closed` when the store was closed, and
/// `CancellationError`. Rows before a failure have been given.
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

/// Rows that belong together only because they were read together.
public struct StreamBatch<Row: Sendable>: RandomAccessCollection, Sendable {
  let rows: [Row]
  /// How many rows there have been, this batch's included, and how many there are where that was asked for.
  public let progress: BatchProgress

  public var startIndex: Int { rows.startIndex }
  public var endIndex: Int { rows.endIndex }
  public subscript(position: Int) -> Row { rows[position] }
}

extension StreamBatch: Equatable where Row: Equatable {}
