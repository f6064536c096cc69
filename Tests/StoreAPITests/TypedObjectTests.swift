import StoreEngine
import Foundation
import StoreDiagnostics
import StoreModel
import StorePredicate
import TestSupport
import Testing

@Suite(.enabled(if: SQLiteShell.executable != nil))
struct TypedObjectTests {
  @Test func createsReadsUpdatesRemoves() async throws {
    let sample = try await SampleStore("Todo")
    let store = sample.store
    let id = try await store.create(Item(name: "buy milk", priority: 2))
    #expect(id.description.hasSuffix("/Item/p1"))
    var item = try #require(try await store.object(id))
    #expect(item.value == Item(name: "buy milk", priority: 2))
    item.done = true
    item.note = "oat"
    #expect(try await store.update(item))
    #expect(try await store.update(item) == false)
    #expect(try await store.object(id) == item)
    #expect(try await store.update(id) { $0.priority = 5 })
    #expect(try await store.update(id) { $0.priority = 5 } == false)
    #expect(try await store.update(id) { $0.set(\.priority, to: \.priority + 1) })
    #expect(
      try sample.rows("SELECT ZNAME, ZDONE, ZNOTE, ZPRIORITY, Z_OPT FROM ZITEM")
        == ["buy milk|1|oat|6|4"])
    #expect(try await store.delete(id).deleted == ["Item": 1])
    #expect(try await store.object(id) == nil)
  }

  @Test func severalInTheirOrder() async throws {
    let sample = try await SampleStore("Todo")
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    let ids = try await store.create((1...2_000).map { Item(name: "item \($0)") })
    #expect(ids.map(\.objectID.primaryKey) == Array(1...2_000))
    #expect(try await store.object(ids[1_233])?.name == "item 1234")
    let invalid = try await failure {
      try await store.create([Item(name: "a"), Item(name: "b", note: nil)] as [Item])
    }
    #expect(invalid == nil)
    #expect(try await store.create([Item]()).isEmpty)
  }

  @Test func createOrUpdateFindsByTheUniqueKey() async throws {
    let sample = try await SampleStore("League")
    let store = sample.store
    let first = try await store.createOrUpdate(Team(city: "Bern", name: "Tigers", points: 3))
    let second = try await store.createOrUpdate(Team(name: "Lions"))
    #expect(first != second)
    let again = Team(city: nil, founded: 1907, name: "Tigers", points: 4)
    #expect(try await store.createOrUpdate(again) == first)
    #expect(try await store.object(first)?.value == again)
    // The row already has these values, and its ID is returned anyway.
    #expect(try await store.createOrUpdate(again) == first)
    #expect(try await store.fetch(Team.all.count) == 2)
    let double = try await failure { try await store.create(Team(name: "Lions")) }
    #expect(double?.reason == .notUnique)
    let shopSample = try await SampleStore("Shop")
    defer { withExtendedLifetime(shopSample) {} }
    let shop = shopSample.store
    let none = try await failure { try await shop.createOrUpdate(Product(title: "Tea")) }
    #expect(none?.reason == .invalidRequest)
    #expect(
      none?.description == """
        error: 'Product' has no uniqueness constraint, which is needed to find an existing row [object.no-unique-key]
          help: add a constraint to the model, or use create and update
        """)
  }

  @Test func deleteRulesHold() async throws {
    let sample = try await SampleStore("Company")
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    let tea = try await store.create(Department(name: "Tea"))
    let ada = try await store.create(Employee(name: "Ada", department: tea))
    #expect(try await failure { try await store.delete(tea) }?.reason == .deletionDenied)
    #expect(try await store.update(ada) { $0.department = nil })
    #expect(try await store.delete(tea).deletedCount == 1)
  }

  @Test func rowsThatAreNotThere() async throws {
    let sample = try await SampleStore("Todo")
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    var gone = try await store.create(Item(name: "a"))
    var item = try #require(try await store.object(gone))
    try await store.delete(gone)
    item.name = "b"
    #expect(try await failure { try await store.update(item) }?.reason == .noObject)
    #expect(
      try await failure { try await store.update(gone) { $0.done = true } }?.reason == .noObject)
    #expect(try await failure { try await store.update(gone) { _ in } }?.reason == .noObject)
    #expect(
      try await failure { try await store.delete(gone) }?.description == """
        error: the store has no row 1 of 'Item' [object.missing]
          help: the row was deleted, or the ID is from another store
        """)
    gone = try await store.create(Item(name: "c"))
    #expect(try await store.object(gone)?.name == "c")
  }

  @Test func valuesThatTheModelRefuses() async throws {
    let sample = try await SampleStore("Company")
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    let young = try await failure { try await store.create(Employee(age: 7, name: "Tim")) }
    #expect(young?.reason == .invalidData)
    let ada = try await store.create(Employee(name: "Ada"))
    #expect(
      try await failure { try await store.update(ada) { $0.age = 7 } }?.reason == .invalidData)
    #expect(try await store.fetch(Employee.all).map(\.age) == [18])
  }
}
