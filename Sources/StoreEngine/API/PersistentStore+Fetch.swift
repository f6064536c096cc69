public import StoreModel

extension PersistentStore {
  /// Returns the rows, or selected values of the rows, of a typed request.
  ///
  ///     let cheap = try await store.fetch(Product.all.where(\.price < 10).ordered(by: \.title))
  ///     let sums = try await store.fetch(
  ///       Product.all.grouped(by: \.country).select(\.country, \.price.sum))
  ///
  /// All rows come from one state of the store and are in memory at the same time. Use `stream` for many rows.
  ///
  /// - Parameter request: the request.
  /// - Returns: the rows in the order of the request.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, such as NULL in a required property (the diagnostic
  ///   contains the row and the property), `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func fetch<Request: TypedRequest>(_ request: Request) async throws -> [Request.Row]
  where Request.Output == [Request.Row] {
    try await rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
  }

  /// Returns the result of a typed request that combines its rows, such as a count.
  ///
  /// - Parameter request: the request.
  /// - Returns: the combined result.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func fetch<Request: TypedRequest>(_ request: Request) async throws -> Request.Output {
    let rows: [Request.Row] = try await rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
    return request.output(of: rows)
  }

  /// Returns the first row of a request, or `nil` if there is none. Doesn't read other rows.
  ///
  ///     let dearest = try await store.first(Product.all.ordered(by: .descending(\.price)))
  ///
  /// - Parameter request: the request.
  /// - Returns: the first row in the order of the request.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func first<Request: TypedRequest>(_ request: Request) async throws -> Request.Row?
  where Request.Output == [Request.Row] {
    try await fetch(FirstRow(of: request))
  }

  /// Returns the current row with an object ID, or `nil` if it doesn't exist.
  ///
  ///     let shelf = try await store.object(tea.shelf)
  ///
  /// - Parameter row: the object ID, a row that was fetched earlier, or `nil`.
  /// - Returns: the row.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func object<Object: StoredObject>(
    _ row: (some ObjectReference<Object>)?
  ) async throws -> Stored<Object>? {
    guard let row else { return nil }
    return try await first(Object.all.where(.id(is: row)))
  }

  /// - Parameter decode: appends the rows of a batch.
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

// Selections have separate functions, because Swift can't match a tuple with a pattern, or with two parameters, if its
// type is the `Row` of a generic request.
extension PersistentStore {
  /// Returns the selected values of the rows of a request, as tuples.
  ///
  ///     for (name, stock) in try await store.fetch(Tea.all.select(\.name, \.stock)) { print(name, stock) }
  ///
  /// - Parameter request: the request.
  /// - Returns: a tuple for each row, in the order of the request.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func fetch<Object: StoredObject, each Value: PropertyValue>(
    _ request: TypedSelection<Object, repeat each Value>
  ) async throws -> [(repeat each Value)] {
    try await rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
  }

  /// Returns the selected values of the first row of a request, or `nil` if there is none. Doesn't read other rows.
  ///
  /// - Parameter request: the request.
  /// - Returns: the values of the first row in the order of the request.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func first<Object: StoredObject, each Value: PropertyValue>(
    _ request: TypedSelection<Object, repeat each Value>
  ) async throws -> (repeat each Value)? {
    try await fetch(FirstRow(of: request))
  }
}

/// A request for the first row of another request.
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
