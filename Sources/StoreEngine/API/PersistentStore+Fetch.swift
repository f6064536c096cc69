public import StoreModel

extension PersistentStore {
  /// The rows, or the values of rows, that a typed request asks for.
  ///
  ///     let cheap = try await store.fetch(Product.all.where(\.price < 10).ordered(by: \.title))
  ///     let sums = try await store.fetch(
  ///       Product.all.grouped(by: \.country).select(\.country, \.price.sum))
  ///
  /// All of them come from one state of the store and are in memory together; `stream` reads many.
  ///
  /// - Throws: `StoreError`: `invalidRequest` for what does not fit the store's model; `invalidData` for
  ///   a row that holds what its Swift type can't, NULL in what the model requires among it, with the row
  ///   and the property; `locked`, `inputOutput`; `CancellationError`.
  @inlinable
  public func fetch<Request: TypedRequest>(_ request: Request) async throws -> [Request.Row]
  where Request.Output == [Request.Row] {
    try await rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
  }

  /// What a typed request folds its rows to: a count.
  ///
  /// - Throws: as `fetch` of rows.
  @inlinable
  public func fetch<Request: TypedRequest>(_ request: Request) async throws -> Request.Output {
    let rows: [Request.Row] = try await rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
    return request.output(of: rows)
  }

  /// The first row of a request, nil where it has none. No other row is read.
  ///
  ///     let dearest = try await store.first(Product.all.ordered(by: .descending(\.price)))
  ///
  /// - Throws: as `fetch`.
  @inlinable
  public func first<Request: TypedRequest>(_ request: Request) async throws -> Request.Row?
  where Request.Output == [Request.Row] {
    try await fetch(FirstRow(of: request))
  }

  /// The row with an object ID, nil where the store has none.
  ///
  /// - Throws: as `fetch`.
  @inlinable
  public func object<Object: StoredObject>(
    _ id: TypedObjectID<Object>
  ) async throws -> Stored<Object>? {
    try await first(Object.all.where(.id(is: id)))
  }

  /// - Parameter decode: reads all rows of a batch.
  @usableFromInline
  func rows<Row: Sendable>(
    of request: StoreFetchRequest,
    decode: @escaping @Sendable (inout PackedRowReader, inout [Row]) throws -> Void
  ) async throws -> [Row] {
    try await performReading(StoreRequest(.fetch, of: request.entity), once: true) {
      [self] connection, cancellation, run in
      let rows = try reading(of: request, run).rows(on: connection, cancellation, decode)
      run?.count(rows: rows.count)
      return rows
    }
  }
}

/// The first row of another request.
@usableFromInline
struct FirstRow<Base: TypedRequest>: TypedRequest where Base.Output == [Base.Row] {
  @usableFromInline let base: Base

  @inlinable
  init(of base: Base) {
    self.base = base
  }

  @usableFromInline var request: StoreFetchRequest {
    var request = base.request
    request.limit = min(request.limit ?? 1, 1)
    return request
  }

  @inlinable
  func row<Reader: RowReader>(from reader: inout Reader) throws -> Base.Row {
    try base.row(from: &reader)
  }

  @inlinable
  func output(of rows: [Base.Row]) -> Base.Row? { rows.first }
}
