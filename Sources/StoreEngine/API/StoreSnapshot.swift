import PredicateSQL
package import SQLiteAccess
package import StoreDiagnostics
public import StoreModel
import StorePredicate
import StoreCore

/// One state of a store, for several reads: `PersistentStore.read` makes it, and it ends with the closure.
///
/// The reads are those of `PersistentStore`, but for `stream` and live results.
public class StoreSnapshot {
  let owner: PersistentStore
  let connection: Connection
  let cancellation: Cancellation
  /// Nil where nobody follows the request.
  let run: RequestRun?
  private var isOver = false

  /// For work that nobody follows.
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

  /// The rows, or the values of rows, that a typed request asks for.
  ///
  /// - Throws: as `PersistentStore.fetch`.
  @inlinable
  public func fetch<Request: TypedRequest>(_ request: Request) throws -> [Request.Row]
  where Request.Output == [Request.Row] {
    try rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
  }

  /// What a typed request folds its rows to: a count.
  ///
  /// - Throws: as `PersistentStore.fetch`.
  @inlinable
  public func fetch<Request: TypedRequest>(_ request: Request) throws -> Request.Output {
    let rows: [Request.Row] = try rows(of: request.request) { reader, rows in
      while reader.nextRow() { rows.append(try request.row(from: &reader)) }
    }
    return request.output(of: rows)
  }

  /// What a fetch request asks for, without types.
  ///
  /// - Throws: as `PersistentStore.fetch`.
  public func fetch<Returned>(
    _ request: StoreFetchRequest, returning result: FetchResult<Returned> = .rows
  ) throws -> Returned {
    let rows: [UntypedRow] = try rows(of: owner.prepared(request, for: result.form)) {
      reader, rows in
      while reader.nextRow() { rows.append(try reader.readRow()) }
    }
    return result.returned(rows)
  }

  /// The first row of a request, nil where it has none.
  ///
  /// - Throws: as `fetch`.
  @inlinable
  public func first<Request: TypedRequest>(_ request: Request) throws -> Request.Row?
  where Request.Output == [Request.Row] {
    try fetch(FirstRow(of: request))
  }

  /// The row with an object ID, nil where the store has none.
  ///
  /// - Throws: as `fetch`.
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

  /// - Throws: `StoreError`, `CancellationError`; an error of the caller's own as it is.
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
    // An error such as a full disk has ended it, or the closure has.
    guard !isOver, connection.isInTransaction else { throw TransactionOver(path: owner.file) }
  }

  /// Later requests throw.
  package func end() { isOver = true }
}

/// A request of a transaction that has ended.
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
