import Foundation
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

@Suite(.enabled(if: SQLiteShell.executable != nil))
struct BatchUpdateAPITests {
  private static func done(_ predicate: String? = nil) throws -> BatchUpdate {
    BatchUpdate(
      entity: "Item", values: [.init("done", .value(.boolean(true)))],
      predicate: try predicate.map(matching))
  }

  @Test func returnsWhatIsAskedFor() async throws {
    let sample = try await SampleStore.items(10)
    let store = sample.store
    let first = try await store.batchUpdate(try Self.done("priority > 2"))
    #expect(first == UpdateResult(matched: 4, changed: 2))
    let ids = try await store.batchUpdate(try Self.done(), returning: .objectIDs)
    #expect(ids.count == 3)
    let keys = try await all(ids)
    #expect(keys.map(\.primaryKey) == [2, 6, 8])
    #expect(Set(keys.map(\.entity)) == ["Item"])
    #expect(try await store.batchUpdate(try Self.done(), returning: .status))
    #expect(try sample.rows("SELECT count(*), sum(ZDONE), sum(Z_OPT) FROM ZITEM") == ["10|10|15"])
  }

  @Test func objectIDsOutliveLaterRequests() async throws {
    let sample = try await SampleStore.items(5_000)
    let ids = try await sample.store.batchUpdate(try Self.done(), returning: .objectIDs)
    var reading = ids.makeAsyncIterator()
    var keys: [Int64] = []
    if let first = try await reading.next() { keys.append(first.primaryKey) }
    // These requests use the same temporary tables and delete their rows.
    let more = try await sample.store.batchUpdate(
      BatchUpdate(entity: "Item", values: [.init("priority", .value(.integer(9)))]),
      returning: .objectIDs)
    try await sample.store.batchDelete(BatchDelete(entity: "Item"))
    while let id = try await reading.next() { keys.append(id.primaryKey) }
    #expect(keys == Array(stride(from: 2, through: 5_000, by: 2)))
    #expect(try await all(ids).map(\.primaryKey) == keys)
    #expect(try await all(more).count == 5_000)
  }

  @Test func reportsRowsOfOneStatement() async throws {
    let sample = try await SampleStore.items(50_000)
    let notes = ProgressNotes()
    let outcome = try await sample.store.batchUpdate(try Self.done(), progress: notes.note)
    #expect(outcome == UpdateResult(matched: 50_000, changed: 25_000))
    #expect(
      notes.all == [
        BatchProgress(rows: 10_000, total: 50_000), BatchProgress(rows: 20_000, total: 50_000),
        BatchProgress(rows: 25_000, total: 25_000),
      ])
  }

  @Test func dryRunChangesNothing() async throws {
    let sample = try await SampleStore.items(10)
    let before = try sample.content()
    #expect(
      try await sample.store.dryRun(of: try Self.done("priority > 2"))
        == UpdateResult(matched: 4, changed: 2))
    #expect(try sample.content() == before)
  }

  @Test func reportsValuesThatBecomeNull() async throws {
    let sample = try await SampleStore("Shop")
    let store = sample.store
    try await store.batchInsert(
      (0..<4).map { Product(amount: $0, country: nil, price: 8, title: "\($0)") })
    let update = BatchUpdate(
      entity: "Product", values: [.init("price", try FormatExpression(parsing: "price / amount"))])
    let expected = UpdateResult(matched: 4, changed: 3, becameNull: ["price": 1])
    #expect(try await store.dryRun(of: update) == expected)
    #expect(try await store.batchUpdate(update) == expected)
    let before = try sample.content()
    let required = try await failure {
      try await store.batchUpdate(Product.self) { $0.set(\.amount, to: \.amount / 0) }.everywhere()
    }
    #expect(required?.reason == .invalidData)
    #expect(
      required?.description == """
        error: 'amount' of Product p1 requires a value, but the new value is NULL because of a division \
        by zero [value.missing]
          help: exclude such rows with a predicate
        """)
    #expect(try sample.content() == before)
  }

  @Test func saysWhatIsWrong() async throws {
    let sample = try await SampleStore("Company")
    try await sample.store.batchInsert([["name": .string("Ada")]], into: "Employee")
    let before = try sample.content()
    func failure(_ property: String, _ value: DataValue, of entity: String) async throws
      -> StoreError?
    {
      try await StoreAPITests.failure {
        try await sample.store.batchUpdate(
          BatchUpdate(entity: entity, values: [.init(property, .value(value))]))
      }
    }
    #expect(try await failure("age", .integer(7), of: "Employee")?.reason == .invalidData)
    #expect(try await failure("age", .integer(7), of: "Employe")?.reason == .invalidRequest)
    #expect(
      try await failure("agee", .integer(7), of: "Employee")?.description == """
        error: 'Employee' has no property 'agee' [value.unknown-property]
          help: did you mean 'age'?
        """)
    #expect(try sample.content() == before)
  }
}
