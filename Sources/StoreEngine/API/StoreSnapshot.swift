import PredicateSQL
package import SQLiteAccess
package import StoreDiagnostics
public import StoreModel
import StorePredicate
import StoreCore
import StoreLayout

/// One state of a store, for several reads. `PersistentStore.read` passes it to a closure. It is invalid after the
/// closure returns.
///
/// It has the functions of `PersistentStore` that fetch rows, except `stream` and `liveResults`.
public class StoreSnapshot {
  let owner: PersistentStore
  let connection: Connection
  let cancellation: Cancellation
  /// Nil if there is neither an observer nor a time limit.
  let run: RequestRun?
  /// Receives all rows that are read, if the results are observed.
  var digest: RowDigest?
  private var isOver = false

  package init(
    of owner: PersistentStore, on connection: Connection, _ cancellation: Cancellation,
    _ run: RequestRun? = nil
  ) {
    self.owner = owner
    self.connection = connection
    self.cancellation = cancellation
    self.run = run
  }

  /// Returns the rows, or selected values of the rows, of a typed request.
  ///
  /// - Parameter request: the request.
  /// - Returns: the rows in the order of the request.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func fetch<Request: TypedRequest>(_ request: Request) throws -> [Request.Row]
  where Request.Output == [Request.Row] {
    try rows(of: request.request) { reader, rows in
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
  public func fetch<Request: TypedRequest>(_ request: Request) throws -> Request.Output {
    let rows: [Request.Row] = try rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
    return request.output(of: rows)
  }

  /// Returns the result of an untyped fetch request.
  ///
  /// - Parameters:
  ///   - request: the rows to fetch. For `.dictionaries`, its `result` specifies the selected values. Otherwise its
  ///     `result` is ignored.
  ///   - result: what to return. The default is rows.
  /// - Returns: the rows, values, object IDs or the count.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  public func fetch<Returned>(
    _ request: StoreFetchRequest, returning result: FetchResult<Returned> = .rows
  ) throws -> Returned {
    let rows: [UntypedRow] = try rows(of: owner.prepared(request, for: result.form)) {
      reader, rows in
      while reader.nextRow() { rows.append(try reader.readRow()) }
    }
    return result.returned(rows)
  }

  /// Returns the first row of a request, or `nil` if there is none.
  ///
  /// - Parameter request: the request.
  /// - Returns: the first row in the order of the request.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func first<Request: TypedRequest>(_ request: Request) throws -> Request.Row?
  where Request.Output == [Request.Row] {
    try fetch(FirstRow(of: request))
  }

  /// Returns the current row with an object ID, or `nil` if it doesn't exist.
  ///
  ///     let shelf = try snapshot.object(tea.shelf)
  ///
  /// - Parameter row: the object ID, a row that was fetched earlier, or `nil`.
  /// - Returns: the row.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func object<Object: StoredObject>(
    _ row: (some ObjectReference<Object>)?
  ) throws -> Stored<Object>? {
    guard let row else { return nil }
    return try first(Object.all.where(.id(is: row)))
  }

  @usableFromInline
  func rows<Row>(
    of request: StoreFetchRequest, decode: (inout PackedRowReader, inout [Row]) throws -> Void
  ) throws -> [Row] {
    try translating {
      let reading = try owner.reading(of: request, run)
      let rows = try owner.store.mappingErrors(connection) {
        try reading.rows(on: connection, cancellation, digest: digest, decode)
      }
      run?.count(rows: rows.count)
      return rows
    }
  }

  /// - Throws: `StoreError` or `CancellationError`. Errors of the program's closures are rethrown unchanged.
  func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      try requireOpen()
      return try body()
    } catch {
      throw StoreError.translating(error, in: owner.store.metadata.uuid)
    }
  }

  /// - Throws: `Cancelled`, `TransactionOver`
  package func requireOpen() throws {
    try cancellation.check()
    // The transaction is over if the closure has returned, or if an error such as a full disk has ended it.
    guard !isOver, connection.isInTransaction else { throw TransactionOver(path: owner.file) }
  }

  /// Makes later requests throw.
  package func end() { isOver = true }
}

extension StoreSnapshot {
  /// Returns the selected values of the rows of a request, as tuples.
  ///
  ///     for (name, stock) in try snapshot.fetch(Tea.all.select(\.name, \.stock)) { print(name, stock) }
  ///
  /// - Parameter request: the request.
  /// - Returns: a tuple for each row, in the order of the request.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func fetch<Object: StoredObject, each Value: PropertyValue>(
    _ request: TypedSelection<Object, repeat each Value>
  ) throws -> [(repeat each Value)] {
    try rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
  }

  /// Returns the selected values of the first row of a request, or `nil` if there is none.
  ///
  /// - Parameter request: the request.
  /// - Returns: the values of the first row in the order of the request.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `invalidData` if a
  ///   row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func first<Object: StoredObject, each Value: PropertyValue>(
    _ request: TypedSelection<Object, repeat each Value>
  ) throws -> (repeat each Value)? {
    try fetch(FirstRow(of: request))
  }
}

/// The error of a request after its transaction has ended.
struct TransactionOver: DiagnosableError {
  let path: LocalPath

  var diagnostics: [DiagnosticMessage] {
    [
      DiagnosticMessage(
        .error, "store.transaction-over", "the transaction of '\(path)' has ended", cause: .usage,
        help: [
          "run the requests inside the closure; an earlier error may have ended the transaction"
        ])
    ]
  }
}
