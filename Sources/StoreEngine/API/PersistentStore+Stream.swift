public import StoreModel

extension PersistentStore {
  /// Returns the rows of a request as batches that are read on demand.
  ///
  ///     for try await batch in store.stream(Item.all.where(\.done == false), countsTotal: true) {
  ///       print(batch.progress.rows, "of", batch.progress.total ?? 0)
  ///       for item in batch { … }
  ///     }
  ///
  /// All batches come from the state of the store at the first batch. Each loop over the stream has its own connection.
  /// It doesn't block requests to this store or other programs, and they don't block it. If the task is cancelled,
  /// waiting for a batch ends immediately.
  ///
  /// In a store with a rollback journal, where a reader would lock writers out, the complete result is first copied
  /// into a temporary file.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - batchSize: the number of rows in each batch except the last one.
  ///   - countsTotal: whether to count the rows first, for the `total` of the progress. This costs as much as a count
  ///     request.
  /// - Returns: the stream.
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

  /// Returns the selected values of the rows of a request, as batches of tuples that are read on demand.
  ///
  ///     for try await batch in store.stream(Tea.all.select(\.name, \.stock)) {
  ///       for (name, stock) in batch { print(name, stock) }
  ///     }
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - batchSize: the number of rows in each batch except the last one.
  ///   - countsTotal: whether to count the rows first, for the `total` of the progress. This costs as much as a count
  ///     request.
  /// - Returns: the stream.
  @inlinable
  public func stream<Object: StoredObject, each Value: PropertyValue>(
    _ request: TypedSelection<Object, repeat each Value>, batchSize: Int = 500,
    countsTotal: Bool = false
  ) -> RequestStream<(repeat each Value)> {
    RequestStream(
      request.request, in: self, batchSize: batchSize, countsTotal: countsTotal
    ) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
  }
}

/// The rows of a request in batches.
///
/// Iterating throws the errors of `fetch`, `StoreError` with the reason `closed` after the store was closed, and
/// `CancellationError`. Batches before an error are delivered.
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

  /// Returns an iterator that reads the rows from a separate connection.
  ///
  /// - Returns: the iterator.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(cursor: StreamCursor(source))
  }

  /// An iterator over the batches of a stream.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let cursor: StreamCursor<Row>

    /// Returns the next batch, or `nil` at the end.
    ///
    /// - Returns: the next batch.
    /// - Throws: `StoreError` if reading fails; `CancellationError`.
    public mutating func next() async throws -> StreamBatch<Row>? {
      try await cursor.next()
    }
  }
}

/// Rows of a stream that were read together.
public struct StreamBatch<Row: Sendable>: RandomAccessCollection, Sendable {
  let rows: [Row]
  /// The number of rows up to and including this batch, and the total number if it was requested.
  public let progress: BatchProgress

  /// The index of the first row.
  public var startIndex: Int { rows.startIndex }
  /// The index after the last row.
  public var endIndex: Int { rows.endIndex }
  /// Returns a row.
  ///
  /// - Parameter position: the index of the row.
  public subscript(position: Int) -> Row { rows[position] }
}

extension StreamBatch: Equatable where Row: Equatable {}
