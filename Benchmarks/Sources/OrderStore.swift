import Foundation
import StoreEngine

/// A store with orders, their customers and their lines, in a temporary folder.
struct OrderStore {
  let folder: URL
  let path: String

  /// Creates the store and closes it, with an empty `-wal`.
  ///
  /// - Parameter orders: The number of orders. The store has a fifth as many customers, and twice as many lines. The
  ///   order of the lines differs from the order of their orders.
  init(_ orders: Int) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("Orders.sqlite").path
    let store = try await PersistentStore.create(path, schema: OrdersModel.self)
    let customerCount = max(1, orders / 5)
    try await store.batchInsert(
      (1...customerCount).lazy.map { number -> [String: DataValue] in
        [
          "name": .string("customer \(Self.mixed(number, 1_000_003))"),
          "city": number % 4 == 0 ? .null : .string("city \(number % 97)"),
        ]
      }, into: "Customer")
    try await store.batchInsert(
      (1...orders).lazy.map { number -> [String: DataValue] in
        let customer = 1 + Self.mixed(number, customerCount)
        return [
          "number": .integer(Int64(number)), "placedAt": .date(7e8 + Double(number) * 1.25),
          "note": number % 3 == 0 ? .null : .string("ring at the door of \(customer)"),
          "customer": number % 10 == 0 ? .null : Self.id("Customer", customer),
        ]
      }, into: "Order")
    try await store.batchInsert(
      (1...2 * orders).lazy.map { number -> [String: DataValue] in
        [
          "amount": .integer(Int64(number % 9)), "price": .double(Double(number % 1_000) / 100),
          "title": .string("tea of garden \(Self.mixed(number, 5_000))"),
          "order": Self.id("Order", 1 + Self.mixed(number, orders)),
        ]
      }, into: "Line")
    try await store.close()
  }

  private static func mixed(_ number: Int, _ limit: Int) -> Int {
    Int(UInt32(truncatingIfNeeded: number &* 2_654_435_761)) % limit
  }

  private static func id(_ entity: String, _ key: Int) -> DataValue {
    .objectID(ObjectID(store: nil, entity: entity, primaryKey: Int64(key)))
  }

  func open() async throws -> PersistentStore {
    try await PersistentStore.open(path, schema: OrdersModel.self)
  }

  func remove() throws { try FileManager.default.removeItem(at: folder) }
}
