package import PredicateSQL
package import RecordFormats
package import SQLiteAccess
package import StoreDiagnostics
package import StoreModel
import StoreLayout
package import StoreCore

/// The rows of a request for code that displays a part of them at a time: the keys of all rows in their order, and the
/// values of a few rows.
///
/// A list of keys requires eight bytes per row and finds each position immediately. Skipping rows would read them.
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

  /// The shape of a row. After its cells follow the row's key and the number of its entity.
  package var shape: RowShape {
    context.shape(of: query.row.columns, width: query.row.values.count + 2)
  }

  package var columns: [ResultColumn] { query.row.columns }

  /// Calls `body` with each row of a page, in the order of the request.
  ///
  /// - Throws: an error of `body`, `DatabaseError`.
  package func page(
    limit: Int, offset: Int, on connection: Connection, _ body: (PackedRows) throws -> Void
  ) throws {
    var statement = try connection.prepare(query.page(limit: limit, offset: offset))
    try read(&statement) { try body($0) }
  }

  /// Calls `body` with the rows of some keys, in any order. Deleted rows are skipped.
  ///
  /// - Throws: an error of `body`, `DatabaseError`.
  package func rows(
    withKeys keys: [Int64], on connection: Connection, _ body: (PackedRows) throws -> Void
  ) throws {
    var statement = try connection.prepare(query.entitledRows(withKeys: keys))
    try read(&statement, body)
  }

  private func read(_ statement: inout Statement, _ body: (PackedRows) throws -> Void) throws {
    let row = PackedRows(width: Int(statement.columnCount))
    while try statement.step() {
      row.removeAll()
      statement.copyRow(into: row)
      try body(row)
    }
  }

  /// Lists the keys of all rows in their order.
  ///
  /// - Parameters:
  ///   - work: is called occasionally with the number of visited rows in the table, if SQLite counts them.
  ///   - body: is called with the next keys.
  /// - Throws: an error of `body`, `DatabaseError`, `Cancelled`.
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

  /// Returns an upper bound of the number of rows in the request's table, which is the total of `work`.
  ///
  /// - Throws: `DatabaseError`
  package func tableSize(on connection: Connection) throws -> Int {
    guard let table else { return 0 }
    return Int(
      clamping: try connection.integer(
        "SELECT max(\(name: FixedColumn.primaryKey)) FROM \(name: table)"))
  }

  private static let batchSize = 4096
}
