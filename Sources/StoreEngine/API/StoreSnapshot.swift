import PredicateSQL
package import SQLiteAccess
package import StoreDiagnostics
public import StoreModel
import StorePredicate
import StoreCore

/// One state of a store for several reads. `PersistentStore.read` creates it, and it ends with the closure.
///
/// It has the reading functions of `PersistentStore`, except `stream` and live results.
public class StoreSnapshot {
  let owner: PersistentStore
  let connection: Connection
  let cancellation: Cancellation
  /// Nil without an observer and a time limit.
  let run: RequestRun?
  private var isOver = false

  /// Creates a snapshot for work without an observer.
  package convenience init(
    of owner: PersistentStore, on connection: Connection, _ cancellation: Cancellation
  ) {
    self.init(of: owner, on: connection, cancellation, nil)
  }

  init(
    of owner: PersistentStore, on connection: Connection, _ cancellation: Cancellation,
    _ run: RequestRun?
  ) {
    self.owner = owner
    self.connection = connection
    self.cancellation = cancellation
    self.run = run
  }

  /// Returns the rows of a typed request, or their values.
  ///
  /// - Parameter request: the rows to fetch.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `inputOutput`; `CancellationError`.
  @inlinable
  public func fetch<Request: TypedRequest>(_ request: Request) throws -> [Request.Row]
  where Request.Output == [Request.Row] {
    try rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
  }

  /// Returns the aggregate of a typed request, such as a count.
  ///
  /// - Parameter request: the aggregate.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `inputOutput`; `CancellationError`.
  @inlinable
  public func fetch<Request: TypedRequest>(_ request: Request) throws -> Request.Output {
    let rows: [Request.Row] = try rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
    return request.output(of: rows)
  }

  /// Returns the result of a fetch request without types.
  ///
  /// - Parameters:
  ///   - request: the rows to fetch.
  ///   - result: the form of the result. The default is rows.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `inputOutput`; `CancellationError`.
  public func fetch<Returned>(
    _ request: StoreFetchRequest, returning result: FetchResult<Returned> = .rows
  ) throws -> Returned {
    let rows: [UntypedRow] = try rows(of: owner.prepared(request, for: result.form)) {
      reader, rows in
      while reader.nextRow() { rows.append(try reader.readRow()) }
    }
    return result.returned(rows)
  }

  /// Returns the first row of a request, or nil without rows.
  ///
  /// - Parameter request: the rows.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `inputOutput`; `CancellationError`.
  @inlinable
  public func first<Request: TypedRequest>(_ request: Request) throws -> Request.Row?
  where Request.Output == [Request.Row] {
    try fetch(FirstRow(of: request))
  }

  /// Returns the row with an object ID, or nil if the store doesn't contain it.
  ///
  /// - Parameter id: the object ID.
  /// - Throws: `StoreError`: `invalidRequest`, `invalidData`, `inputOutput`; `CancellationError`.
  @inlinable
  public func object<Object: StoredObject>(
    _ id: TypedObjectID<Object>
  ) throws -> Stored<Object>? {
    try first(Object.all.where(.id(is: id)))
  }

  @usableFromInline
  func rows<Row>(
    of request: StoreFetchRequest, decode: (inout PackedRowReader, inout [Row]) throws -> Void
  ) throws -> [Row] {
    try translating {
      let reading = try owner.reading(of: request, run)
      let rows = try owner.store.mappingErrors(connection) {
        try reading.rows(on: connection, cancellation, decode)
      }
      run?.count(rows: rows.count)
      return rows
    }
  }

  /// - Throws: `StoreError`, `CancellationError`, or an error of the caller.
  func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      try requireOpen()
      return try body()
    } catch {
      throw StoreError.translating(error)
    }
  }

  /// - Throws: `Cancelled`, `TransactionOver`
  package func requireOpen() throws {
    try cancellation.check()
    // An error such as a full disk, or the end of the closure, has ended the transaction.
    guard !isOver, connection.isInTransaction else { throw TransactionOver(path: owner.file) }
  }

  /// Makes later requests throw.
  package func end() { isOver = true }
}

/// A request in a transaction that has ended.
struct TransactionOver: DiagnosableError {
  let path: FilePath

  var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "store.transaction-over", "the transaction of '\(path)' has ended", cause: .usage,
        help: ["run its requests in the closure; an error that it has thrown may have ended it"])
    ]
  }
}
