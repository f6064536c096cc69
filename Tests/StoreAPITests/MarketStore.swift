import Foundation
import SeededRandom
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// A store with each kind of relationship: one-to-one, one-to-many, many-to-many, without inverse, ordered and
/// unordered, from an entity to itself, and to entities with sub-entities.
final class MarketStore: Sendable {
  let folder: TemporaryFolder
  let path: String
  let store: PersistentStore

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path("Market.sqlite")
    store = try await PersistentStore.create(path, schema: MarketModel.self)
  }

  /// Returns the output of the sqlite3 shell, which is another process, for a statement.
  func rows(_ sql: String) throws -> [String] {
    let outcome = try BuiltCommand(in: folder.url).run(
      "'\(SQLiteShell.executable ?? "sqlite3")' '\(path)'", input: sql)
    return (outcome.errors + outcome.output).split(separator: "\n").map(String.init)
  }

  /// Expects that `storetool verify` doesn't report anything.
  func expectSound(_ comment: String, location: SourceLocation = #_sourceLocation) throws {
    let model = BuiltCommand.repository
      .appendingPathComponent("Tests/StoreCodegenTests/Models/Market.xcdatamodel").path
    let outcome = try BuiltCommand(in: folder.url).run(
      "storetool verify --store '\(path)' --model '\(model)'")
    #expect(
      outcome.status == 0, "\(comment): \(outcome.output)\(outcome.errors)",
      sourceLocation: location)
  }

  /// Enables persistent history, as an app does.
  func keepHistory() throws { #expect(try rows(SampleStore.historyTables) == []) }

  /// Returns the changes of the last history transaction, such as `Order 1: lines`.
  func lastChanges() throws -> Set<String> {
    let found = try rows(
      """
      SELECT (SELECT Z_NAME FROM Z_PRIMARYKEY k WHERE k.Z_ENT = c.ZENTITY), ZENTITYPK, hex(ZCOLUMNS) \
      FROM ACHANGE c WHERE ZTRANSACTIONID = (SELECT max(Z_PK) FROM ATRANSACTION) AND ZCHANGETYPE = 1
      """)
    let model = MarketModel.model
    return Set(
      try found.map { line in
        let parts = line.split(separator: "|")
        let entity = try #require(model.entity(named: String(parts[0])))
        let names =
          (model.attributes(of: entity).map(\.name)
          + model.relationships(of: entity).map(\.name)).sorted()
        let mask = try #require(UInt64(parts[2], radix: 16))
        let width = parts[2].count * 4
        let changed = names.indices.filter { mask >> (width - 1 - $0) & 1 == 1 }.map { names[$0] }
        return "\(parts[0]) \(parts[1]): \(changed.joined(separator: ", "))"
      })
  }
}

extension TypedObjectID {
  /// The row's primary key.
  var key: Int64 { objectID.primaryKey }
}

/// Rows of each entity of a market.
struct MarketRows: Sendable {
  var people: [Contact.ID] = []
  var orders: [Order.ID] = []
  var lines: [Line.ID] = []
  var products: [Article.ID] = []
  var tags: [Tag.ID] = []
  var notes: [Note.ID] = []

  /// Creates rows without members, except for lines, which require an order.
  static func fill(_ store: PersistentStore, _ count: Int) async throws -> MarketRows {
    try await store.transaction { transaction in
      var rows = MarketRows()
      for number in 0..<count {
        let person =
          number.isMultiple(of: 2)
          ? try transaction.create(Clerk(name: "clerk \(number)")).cast(to: Contact.self)
          : try transaction.create(Customer(name: "customer \(number)")).cast(to: Contact.self)
        rows.people.append(try #require(person))
        rows.orders.append(try transaction.create(Order(number: Int64(number), region: "north")))
        rows.products.append(
          try transaction.create(Article(price: Double(number), title: "product \(number)")))
        rows.tags.append(try transaction.create(Tag(word: "tag \(number)")))
        rows.notes.append(try transaction.create(Note(text: "note \(number)")))
      }
      for number in 0..<2 * count {
        rows.lines.append(
          try transaction.create(
            Line(amount: Int32(number), order: rows.orders[number % count])))
      }
      return rows
    }
  }

  var customers: [Customer.ID] { people.compactMap { $0.cast(to: Customer.self) } }
}
