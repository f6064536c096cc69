import Foundation
import GRDB
import GRDBSQLite
import StoreEngine

/// Compares reading rows with their to-one and to-many relationships with handwritten joins, in turns.
enum Relationships {
  private static let turns = 9

  /// A selection of orders, as a query and as SQL.
  private struct Question {
    let name: String
    let query: TypedQuery<Order>
    let condition: String
  }

  private static func questions(_ rows: Int) -> [Question] {
    let middle = Int64(rows / 2)
    return [
      Question(name: "all orders", query: Order.all, condition: "TRUE"),
      Question(
        name: "half of them", query: Order.all.where(\.number > middle),
        condition: "o.ZNUMBER > \(middle)"),
      Question(
        name: "1,000 in a row",
        query: Order.all.where(\.number > middle && \.number <= middle + 1_000),
        condition: "o.ZNUMBER > \(middle) AND o.ZNUMBER <= \(middle + 1_000)"),
      Question(
        name: "10 in a row", query: Order.all.where(\.number > middle && \.number <= middle + 10),
        condition: "o.ZNUMBER > \(middle) AND o.ZNUMBER <= \(middle + 10)"),
    ]
  }

  /// The result, which must be equal for all variants.
  private struct Result: Hashable {
    var rows = 0
    var lines = 0
    var sum = 0

    mutating func add(_ order: Order, _ customer: Customer?) {
      rows += 1
      sum &+= Int(order.number) &* (customer?.name.utf8.count ?? 1)
    }

    mutating func add(_ line: Line) {
      lines += 1
      sum &+= Int(line.amount) &* line.title.utf8.count
    }
  }

  private struct Way {
    let name: String
    let read: (Question) async throws -> Result
  }

  static func run(_ rows: Int) async throws {
    StatementCount.begin()
    let orders = try await OrderStore(rows)
    defer { try? orders.remove() }
    let store = try await orders.open()
    let joined = JoinedOrders(store: try await uuid(of: store))
    let queue = try DatabaseQueue(path: orders.path)
    var connection: OpaquePointer?
    sqlite3_open_v2(orders.path, &connection, SQLITE_OPEN_READWRITE, nil)
    guard let connection else { throw CocoaError(.fileReadNoSuchFile) }
    defer { sqlite3_close(connection) }
    let ways = [
      Way(name: "including(…)") { try await included($0, store) },
      Way(name: "joins, SQLite's own functions") {
        outcome(try joined.read(where: $0.condition, connection))
      },
      Way(name: "without the second join") {
        outcome(try joined.readByDictionary(where: $0.condition, connection))
      },
      Way(name: "joins, GRDB by position") {
        outcome(try joined.read(where: $0.condition, queue))
      },
    ]
    print(
      "\(rows) orders".padded(18), "way".padded(30), "     ms    CPU ms   ratio    CPU   limit")
    for question in questions(rows) { try await compare(ways, question) }
    for question in questions(rows) {
      let before = StatementCount.count
      _ = try await included(question, store)
      print("\(question.name): \(StatementCount.count - before) statements")
    }
    try await store.close()
  }

  private static func uuid(of store: PersistentStore) async throws -> String {
    try await store.first(Order.all.ids)?.objectID.store ?? ""
  }

  /// Measures all variants, and prints the ratios of the first one to each of the others.
  private static func compare(_ ways: [Way], _ question: Question) async throws {
    var costs = [[Cost]](repeating: [], count: ways.count)
    var first: Result?
    for turn in 0...turns {
      for (index, way) in ways.enumerated() {
        var outcome = Result()
        let cost = try await Cost.of { outcome = try await way.read(question) }
        precondition(outcome == first ?? outcome && outcome.lines > 0, "\(way.name) differs")
        first = outcome
        // The first turn is a warm-up.
        if turn > 0 { costs[index].append(cost) }
      }
    }
    for (index, way) in ways.enumerated() {
      func median(_ value: (Int) -> Double) -> Double {
        costs[index].indices.reduce(into: Samples()) { $0.append(value($1)) }.median
      }
      let ratios =
        index == 0
        ? ""
        : median { costs[0][$0].wall / costs[index][$0].wall }.digits(2, width: 8)
          + median { costs[0][$0].cpu / costs[index][$0].cpu }.digits(2, width: 7)
          + 1.3.digits(1, width: 8)
      print(
        question.name.padded(18), way.name.padded(30),
        median { costs[index][$0].wall }.digits(2, width: 8),
        median { costs[index][$0].cpu }.digits(2, width: 9), ratios)
    }
  }

  private static func included(
    _ question: Question, _ store: PersistentStore
  ) async throws -> Result {
    var outcome = Result()
    for order in try await store.fetch(question.query.including(\.customer, \.lines)) {
      outcome.add(order.value, try order[\.customer]?.value)
      for line in try order[\.lines] { outcome.add(line.value) }
    }
    return outcome
  }

  private static func outcome(_ orders: [JoinedOrder]) -> Result {
    var outcome = Result()
    for order in orders {
      outcome.add(order.order.value, order.customer?.value)
      for line in order.lines { outcome.add(line.value) }
    }
    return outcome
  }
}
