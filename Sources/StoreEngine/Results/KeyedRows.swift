package import PredicateSQL
package import RecordFormats
package import SQLiteAccess
package import StoreDiagnostics
package import StoreModel
import StoreLayout
package import StoreCore

/// Reads the rows of a request for a view that displays only a part of them at a time: the keys of all rows in order,
/// and the values of the displayed rows.
///
/// The list of keys takes eight bytes per row. With its key, any row is found immediately, while `OFFSET` would read
/// all previous rows.
package struct KeyedRows {
  private let query: ResultQuery
  private let context: RowContext
  private let table: String?

  /// - Throws: `ResultRequestError`, `CheckErrors`
  package init(_ request: StoreFetchRequest, texts: RequestTexts, in context: RowContext) throws {
    query = try request.resultQuery(in: context.layout, storeUUID: context.store, texts: texts)
    self.context = context
    table = context.layout.entity(named: request.entity)?.table
  }

  /// The description of a row's cells. The last two cells are the row's key and its entity number.
  package var shape: RowShape {
    context.shape(of: query.row.columns, width: query.row.values.count + 2)
  }

  package var columns: [ResultColumn] { query.row.columns }

  /// Calls `body` with up to `limit` rows after the first `offset` rows, one by one, in the order of the request.
  ///
  /// - Throws: the errors of `body`, `DatabaseError`.
  package func page(
    limit: Int, offset: Int, on connection: Connection, _ body: (PackedRows) throws -> Void
  ) throws {
    var statement = try connection.prepare(query.page(limit: limit, offset: offset))
    try statement.forEachRow(body)
  }

  /// Calls `body` with each row that has one of the given keys, in any order. Keys of missing rows are ignored.
  ///
  /// - Throws: the errors of `body`, `DatabaseError`.
  package func rows(
    withKeys keys: [Int64], on connection: Connection, _ body: (PackedRows) throws -> Void
  ) throws {
    var statement = try connection.prepare(query.entitledRows(withKeys: keys))
    try statement.forEachRow(body)
  }

  /// Reads the keys of all rows in the order of the request.
  ///
  /// - Parameters:
  ///   - work: called repeatedly with the number of examined rows, as far as SQLite counts them.
  ///   - body: called with a batch of keys.
  /// - Throws: the errors of `body`, `DatabaseError`, `Cancelled`.
  package func keys(
    on connection: Connection, cancellation: Cancellation = .ofProcess,
    work: @escaping (Int) -> Void, _ body: ([Int64]) throws -> Void
  ) throws {
    let statement = try connection.prepare(query.orderedKeys)
    try connection.following(statement, cancellation: cancellation, work) { statement in
      var batch: [Int64] = []
      batch.reserveCapacity(Self.batchSize)
      while try statement.step() {
        batch.append(statement.integer(at: 0))
        if batch.count == Self.batchSize {
          try body(batch)
          batch.removeAll(keepingCapacity: true)
        }
      }
      if !batch.isEmpty { try body(batch) }
    }
  }

  /// Returns an upper limit for the number of rows in the request's table, which is the total for `work`.
  ///
  /// - Throws: `DatabaseError`
  package func tableSize(on connection: Connection) throws -> Int {
    try table.map { Int(clamping: try connection.highestKey(in: $0)) } ?? 0
  }

  private static let batchSize = 4096
}

extension Statement {
  /// Calls `body` with each row. The rows share one `PackedRows`.
  mutating func forEachRow(_ body: (PackedRows) throws -> Void) throws {
    let row = PackedRows(width: Int(columnCount))
    while try step() {
      row.removeAll()
      copyRow(into: row)
      try body(row)
    }
  }
}
