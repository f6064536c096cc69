public import StoreModel

extension PersistentStore {
  /// Returns the rows of a typed request, or their values.
  ///
  ///     let cheap = try await store.fetch(Product.all.where(\.price < 10).ordered(by: \.title))
  ///     let sums = try await store.fetch(
  ///       Product.all.grouped(by: \.country).select(\.country, \.price.sum))
  ///
  /// All rows are from one state of the store, and are in memory together. For many rows, use `stream`.
  ///
  /// - Parameter request: the rows to fetch.
  /// - Throws: `StoreError`: `invalidRequest` if the request doesn't fit the store's model; `invalidData` with the row
  ///   and the property if the Swift type can't represent a value, such as NULL in a required attribute; `locked`,
  ///   `inputOutput`; `CancellationError`.
  @inlinable
  public func fetch<Request: TypedRequest>(_ request: Request) async throws -> [Request.Row]
  where Request.Output == [Request.Row] {
    try await rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
  }

  /// Returns the aggregate of a typed request, such as a count.
  ///
  /// - Parameter request: the aggregate.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `locked`, `inputOutput`; `CancellationError`.
  @inlinable
  public func fetch<Request: TypedRequest>(_ request: Request) async throws -> Request.Output {
    let rows: [Request.Row] = try await rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
    return request.output(of: rows)
  }

  /// Returns the first row of a request, or nil without rows. It doesn't read other rows.
  ///
  ///     let dearest = try await store.first(Product.all.ordered(by: .descending(\.price)))
  ///
  /// - Parameter request: the rows.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `locked`, `inputOutput`; `CancellationError`.
  @inlinable
  public func first<Request: TypedRequest>(_ request: Request) async throws -> Request.Row?
  where Request.Output == [Request.Row] {
    try await fetch(FirstRow(of: request))
  }

  /// Returns the row with an object ID, or nil if the store doesn't contain it.
  ///
  /// - Parameter id: the object ID.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `locked`, `inputOutput`; `CancellationError`.
  @inlinable
  public func object<Object: StoredObject>(
    _ id: TypedObjectID<Object>
  ) async throws -> Stored<Object>? {
    try await first(Object.all.where(.id(is: id)))
  }

  /// - Parameter decode: decodes all rows of a batch.
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

/// Returns the first row of a request.
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
