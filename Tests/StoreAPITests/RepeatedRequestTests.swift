import Foundation
import SeededRandom
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Requests that differ only in values share a compiled statement, and each returns its own result.
///
/// `REPEATED_SEEDS=17` repeats one seed, `REPEATED_SEEDS=100-200` runs more seeds.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct RepeatedRequestTests {
  private static let seeds = Seeds.named("REPEATED_SEEDS", otherwise: 1...3)

  @Test func anIDFindsItsOwnRow() async throws {
    let sample = try await SampleStore.items(100)
    let store = sample.store
    for item in try await store.fetch(Item.all) {
      #expect(try await store.object(item.id) == item)
      #expect(try await store.first(Item.all.where(\.name == item.value.name)) == item)
    }
    for (uuid, key) in [(nil, Int64(101)), (UUID().uuidString, 1)] {
      let id = ObjectID(store: uuid, entity: "Item", primaryKey: key)
      let item = try #require(Item.ID(id))
      let found = try await store.object(item)
      #expect(found == nil)
    }
  }

  /// A value of a wrong type is reported, even if the same request was compiled before.
  @Test func aWrongValueIsNotBound() async throws {
    let store = try await SampleStore.items(10).store
    let request = { (value: DataValue) in
      StoreFetchRequest(
        entity: "Item",
        predicate: .comparison(FormatComparison(.keyPath("createdAt"), .less, .value(value))))
    }
    for text in ["2020-01-01", "2030-01-01"] {
      #expect(try await store.fetch(request(.string(text)), returning: .count) == 0)
    }
    let wrong = try await failure {
      _ = try await store.fetch(request(.string("soon")), returning: .count)
    }
    #expect(wrong?.reason == .invalidRequest)
  }

  @Test(arguments: seeds)
  func randomRequestsOfManyTasks(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let sample = try await SampleStore("Todo")
    _ = try await sample.store.batchInsert(
      (0..<200).map { Self.record($0, &random) }, into: "Item")
    let requests = (0..<50).map { _ in Self.request(&random) }
    for change in Self.changes {
      let expected = try await Self.answersAlone(requests, sample.path)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<6 {
          let order = (Array(requests.indices) + requests.indices).shuffled(using: &random)
          group.addTask {
            for index in order {
              let answer = try await Self.answer(requests[index], sample.store)
              #expect(answer == expected[index], "seed \(seed): \(requests[index])")
            }
          }
        }
        try await group.waitForAll()
      }
      try await change(sample)
    }
  }

  /// Changes by this store and by another process. They must not affect compiled statements.
  private static let changes: [@Sendable (SampleStore) async throws -> Void] = [
    {
      let update = BatchUpdate(
        entity: "Item", values: [.init("note", .value(.null))],
        predicate: try matching("priority > 5"))
      try await $0.store.batchUpdate(update)
    },
    { try shell("UPDATE ZITEM SET ZPRIORITY = ZPRIORITY + 1 WHERE Z_PK % 3 = 0", $0) },
    { try shell("CREATE INDEX byPriority ON ZITEM (ZPRIORITY); ANALYZE", $0) },
    { try shell("DELETE FROM ZITEM WHERE Z_PK % 7 = 0; VACUUM", $0) },
    { _ in },
  ]

  private static func shell(_ sql: String, _ sample: SampleStore) throws {
    #expect(try sample.rows(sql) == [])
  }

  /// Returns the results of each request from a newly opened store.
  private static func answersAlone(_ requests: [StoreFetchRequest], _ path: String) async throws
    -> [[FetchedRow]]
  {
    var answers: [[FetchedRow]] = []
    for request in requests {
      let store = try await PersistentStore.open(path, schema: TodoModel.self)
      answers.append(try await answer(request, store))
      try await store.close()
    }
    return answers
  }

  private static func answer(
    _ request: StoreFetchRequest, _ store: PersistentStore
  ) async throws -> [FetchedRow] {
    try await store.fetch(request, returning: .rows)
  }

  private static func record(_ number: Int, _ random: inout SeededGenerator) -> [String: DataValue]
  {
    [
      "name": .string(random.pick(["tea", "Tea", "té", "", "'", "a%b"]) + "\(number % 9)"),
      "note": random.pick([.null, .string("x"), .string("long note")]),
      "priority": .integer(Int64(random.below(9))),
      "createdAt": random.pick([.null, .date(0), .date(1e8), .date(-0.5)]),
      "done": .boolean(random.below(2) == 0),
    ]
  }

  private static func request(_ random: inout SeededGenerator) -> StoreFetchRequest {
    var request = StoreFetchRequest(entity: "Item", predicate: predicate(2, &random))
    request.limit = random.pick([nil, 3, 20, 0])
    request.offset = random.pick([0, 0, 2])
    if random.below(2) == 0 {
      request.sort = [SortKey(.keyPath(random.pick(["name", "createdAt"])), isAscending: false)]
    }
    return request
  }

  private static func predicate(
    _ depth: Int, _ random: inout SeededGenerator
  ) -> FormatPredicate {
    if depth > 0, random.below(2) == 0 {
      let members = (0..<2).map { _ in predicate(depth - 1, &random) }
      return random.pick([.and(members), .or(members), .not(members[0])])
    }
    let name = random.pick(["name", "note", "priority", "createdAt", "done"])
    let `operator` = random.pick(
      [FormatComparison.Operator.equal, .notEqual, .less, .greaterOrEqual, .in, .between, .equal])
    var right = FormatExpression.value(value(of: name, &random))
    if `operator` == .in || `operator` == .between {
      let count = `operator` == .between ? 2 : random.below(4)
      right = .init(.list((0..<count).map { _ in .value(value(of: name, &random)) }))
    } else if name == "name", random.below(3) == 0 {
      return .comparison(
        FormatComparison(
          .keyPath(name), .like, .value(random.pick([.string("t*"), .string("*9")]))))
    }
    return .comparison(FormatComparison(.keyPath(name), `operator`, right))
  }

  private static func value(of name: String, _ random: inout SeededGenerator) -> DataValue {
    if random.below(9) == 0 { return .null }
    switch name {
    case "name": return .string(random.pick(["tea1", "Tea3", "té0", "", "'8", "a%b2"]))
    case "note": return .string(random.pick(["x", "long note", ""]))
    case "priority": return random.pick([.integer(Int64(random.below(12))), .double(2.5)])
    case "createdAt": return .date(random.pick([0, 1e8, -0.5, 3]))
    default: return .boolean(random.below(2) == 0)
    }
  }
}
