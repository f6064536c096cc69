import Foundation
import GRDB
import GRDBSQLite
import StoreModel

/// An order with its customer and lines, read by handwritten joins into the generated structures.
struct JoinedOrder: Sendable {
  var order: Stored<Order>
  var customer: Stored<Customer>?
  var lines: [Stored<Line>] = []
}

/// A row of a query result, accessed by column number.
protocol JoinedRow {
  func key(_ column: Int) -> Int64?
  func integer(_ column: Int) -> Int64
  func real(_ column: Int) -> Double
  func text(_ column: Int) -> String?
}

/// The handwritten joins.
struct JoinedOrders {
  /// The store's UUID, which object IDs contain.
  let store: String

  /// Returns the SQL of the orders with their customers.
  ///
  /// - Parameter condition: A condition on the order `o`.
  static func orders(where condition: String) -> String {
    """
    SELECT o.Z_PK, o.ZNOTE, o.ZNUMBER, o.ZPLACEDAT, o.ZCUSTOMER, c.Z_PK, c.ZCITY, c.ZNAME
    FROM ZORDER o LEFT JOIN ZCUSTOMER c ON c.Z_PK = o.ZCUSTOMER WHERE \(condition) ORDER BY o.Z_PK
    """
  }

  static func lines(where condition: String) -> String {
    """
    SELECT l.ZORDER, l.Z_PK, l.ZAMOUNT, l.ZPRICE, l.ZTITLE
    FROM ZORDER o JOIN ZLINE l ON l.ZORDER = o.Z_PK WHERE \(condition) ORDER BY o.Z_PK, l.Z_PK
    """
  }

  /// Returns the SQL of the unsorted lines, for assigning them to their orders with a dictionary.
  static func unsortedLines(where condition: String) -> String {
    """
    SELECT l.ZORDER, l.Z_PK, l.ZAMOUNT, l.ZPRICE, l.ZTITLE FROM ZLINE l
    WHERE \(condition == "TRUE" ? "l.ZORDER NOT NULL" : "l.ZORDER IN (SELECT o.Z_PK FROM ZORDER o WHERE \(condition))")
    """
  }

  private func id<Object: StoredObject>(_ key: Int64) throws -> TypedObjectID<Object> {
    let id = ObjectID(store: store, entity: Object.entityName, primaryKey: key)
    guard let typed = TypedObjectID<Object>(id) else { throw CocoaError(.coderInvalidValue) }
    return typed
  }

  func order(_ row: some JoinedRow) throws -> JoinedOrder {
    let order = Order(
      note: row.text(1), number: row.integer(2),
      placedAt: Date(timeIntervalSinceReferenceDate: row.real(3)),
      customer: try row.key(4).map { try id($0) })
    return JoinedOrder(
      order: Stored(id: try id(row.key(0) ?? 0), value: order),
      customer: try row.key(5).map { key in
        Stored(id: try id(key), value: Customer(city: row.text(6), name: row.text(7) ?? ""))
      })
  }

  func line(_ row: some JoinedRow) throws -> (order: Int64, Stored<Line>) {
    let order = row.key(0) ?? 0
    let line = Line(
      amount: Int32(truncatingIfNeeded: row.integer(2)), price: row.real(3),
      title: row.text(4) ?? "", order: try id(order))
    return (order, Stored(id: try id(row.key(1) ?? 0), value: line))
  }
}

/// Combines orders and lines in a single pass, because both are sorted by the key of the order.
struct JoinedList {
  private(set) var orders: [JoinedOrder] = []
  private var next = 0

  mutating func append(_ order: JoinedOrder) { orders.append(order) }

  mutating func append(_ line: (order: Int64, value: Stored<Line>)) {
    while orders[next].order.id.objectID.primaryKey < line.order { next += 1 }
    orders[next].lines.append(line.value)
  }
}

extension JoinedOrders {
  /// Reads the joins with GRDB by position, which is its fastest method.
  func read(where condition: String, _ queue: DatabaseQueue) throws -> [JoinedOrder] {
    try queue.read { database in
      var list = JoinedList()
      let orders = try Row.fetchCursor(database, sql: Self.orders(where: condition))
      while let row = try orders.next() { list.append(try order(RecordRow(row: row))) }
      let lines = try Row.fetchCursor(database, sql: Self.lines(where: condition))
      while let row = try lines.next() { list.append(try line(RecordRow(row: row))) }
      return list.orders
    }
  }

  private struct RecordRow: JoinedRow {
    let row: Row

    func key(_ column: Int) -> Int64? { row[column] }
    func integer(_ column: Int) -> Int64 { row[column] }
    func real(_ column: Int) -> Double { row[column] }
    func text(_ column: Int) -> String? { row[column] }
  }

  /// Reads the joins with SQLite's C functions.
  func read(where condition: String, _ connection: OpaquePointer) throws -> [JoinedOrder] {
    var list = JoinedList()
    try Self.step(connection, "BEGIN") { _ in }
    try Self.step(connection, Self.orders(where: condition)) { list.append(try order($0)) }
    try Self.step(connection, Self.lines(where: condition)) { list.append(try line($0)) }
    try Self.step(connection, "COMMIT") { _ in }
    return list.orders
  }

  /// Reads orders and lines with SQLite's C functions, but without the join of orders and lines.
  func readByDictionary(
    where condition: String, _ connection: OpaquePointer
  ) throws -> [JoinedOrder] {
    var orders: [JoinedOrder] = []
    var places: [Int64: Int] = [:]
    try Self.step(connection, "BEGIN") { _ in }
    try Self.step(connection, Self.orders(where: condition)) { row in
      let order = try order(row)
      places[order.order.id.objectID.primaryKey] = orders.count
      orders.append(order)
    }
    try Self.step(connection, Self.unsortedLines(where: condition)) { row in
      let (order, line) = try line(row)
      if let place = places[order] { orders[place].lines.append(line) }
    }
    try Self.step(connection, "COMMIT") { _ in }
    return orders
  }

  private struct StatementRow: JoinedRow {
    let statement: OpaquePointer

    func key(_ column: Int) -> Int64? {
      sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL ? nil : integer(column)
    }
    func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }
    func real(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }
    func text(_ column: Int) -> String? {
      sqlite3_column_text(statement, Int32(column)).map { String(cString: $0) }
    }
  }

  private static func step(
    _ connection: OpaquePointer, _ sql: String, _ body: (StatementRow) throws -> Void
  ) throws {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    guard let statement else { throw CocoaError(.fileReadCorruptFile) }
    defer { sqlite3_finalize(statement) }
    while sqlite3_step(statement) == SQLITE_ROW { try body(StatementRow(statement: statement)) }
  }
}
