import StoreEngine
import StoreModel
import Synchronization
import TestSupport
import Testing

/// The statements of writes of single rows.
@Suite(.enabled(if: SQLiteShell.executable != nil))
struct SmallWriteTests {
  private let statements = StatementList()

  private func store(_ sample: SampleStore, _ schema: any SchemaModel.Type) async throws
    -> PersistentStore
  {
    try await PersistentStore.open(
      sample.path, models: [schema.model], options: .init(observer: statements))
  }

  /// Returns the statements of a request.
  private func statements(of work: () async throws -> Void) async throws -> [String] {
    statements.removeAll()
    try await work()
    return statements.all
  }

  private func first(_ statement: String) -> String {
    String(statement.prefix { $0 != " " })
  }

  /// The second write of a kind doesn't compile statements, and only reads the version of the schema.
  @Test func aSmallWriteHasFewStatements() async throws {
    let sample = try await SampleStore("Todo")
    let store = try await store(sample, TodoModel.self)
    for _ in 0..<2 {
      var id = try await store.create(Item(name: "a"))
      let empty = try await statements { try await store.transaction { _ in } }
      let create = try await statements { id = try await store.create(Item(name: "a")) }
      let update = try await statements { try await store.update(id) { $0.name = "b" } }
      let delete = try await statements { try await store.delete(id) }
      // The first round compiles the writes and reads the facts.
      guard try await store.fetch(Item.all.count) == 2 else { continue }
      #expect(empty.map(first) == ["BEGIN", "PRAGMA", "COMMIT"])
      #expect(create.map(first) == ["BEGIN", "PRAGMA", "SELECT", "INSERT", "UPDATE", "COMMIT"])
      #expect(update.map(first) == ["BEGIN", "PRAGMA", "UPDATE", "COMMIT"])
      #expect(delete.map(first) == ["BEGIN", "PRAGMA", "SELECT", "DELETE", "COMMIT"])
    }
    try await store.close()
  }

  @Test func aTransactionChecksTheSchemaOnce() async throws {
    let sample = try await SampleStore("Todo")
    let store = try await store(sample, TodoModel.self)
    let work = { @Sendable (transaction: StoreTransaction) in
      let id = try transaction.create(Item(name: "a"))
      try transaction.update(id) { $0.name = "b" }
      try transaction.delete(id)
    }
    try await store.transaction { try work($0) }
    let all = try await statements { try await store.transaction { try work($0) } }
    #expect(
      all.map(first) == [
        "BEGIN", "PRAGMA", "SAVEPOINT", "SELECT", "INSERT", "UPDATE", "RELEASE", "SAVEPOINT",
        "UPDATE", "RELEASE", "SAVEPOINT", "SELECT", "DELETE", "RELEASE", "COMMIT",
      ])
    try await store.close()
  }

  /// Each kind of write finds what another process has changed since the previous one.
  @Test func anotherProcessEnablesHistory() async throws {
    let sample = try await SampleStore("Todo")
    let store = sample.store
    let id = try await store.create(Item(name: "a"))
    try await store.update(id) { $0.name = "b" }
    try await store.delete(try await store.create(Item(name: "c")))
    try sample.keepHistory()
    let second = try await store.create(Item(name: "d"))
    try await store.update(id) { $0.name = "e" }
    try await store.delete(second)
    #expect(try sample.rows("SELECT ZCHANGETYPE FROM ACHANGE ORDER BY Z_PK") == ["0", "1", "2"])
  }

  @Test func anotherProcessCreatesATrigger() async throws {
    let sample = try await SampleStore("Todo")
    let store = sample.store
    let id = try await store.create(Item(name: "a"))
    try await store.update(id) { $0.name = "b" }
    let other = try await store.create(Item(name: "c"))
    try await store.delete(other)
    let trigger = "CREATE TRIGGER own AFTER UPDATE ON ZITEM BEGIN SELECT 1; END"
    #expect(try sample.rows(trigger) == [])
    let writes: [() async throws -> Void] = [
      { try await store.create(Item(name: "d")) }, { try await store.update(id) { $0.name = "e" } },
      { try await store.delete(id) },
    ]
    for write in writes {
      #expect(try await failure(write)?.reason == .unsupportedStore)
    }
    #expect(try sample.rows("DROP TRIGGER own") == [])
    for write in writes { try await write() }
    #expect(try sample.rows("SELECT ZNAME FROM ZITEM") == ["d"])
    #expect(try sample.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'") == ["3"])
  }

  /// A row with members is deleted with them, and its owner counts as changed.
  @Test func deleteRulesApply() async throws {
    let sample = try await SampleStore("League")
    let store = sample.store
    let team = try await store.create(Team(name: "Tigers"))
    let player = try await store.create(Player(name: "Ann", team: team))
    try await store.create(Player(name: "Ben", team: team))
    let before = try sample.rows("SELECT Z_OPT FROM ZTEAM")
    #expect(try await store.delete(player).deleted == ["Player": 1])
    #expect(try sample.rows("SELECT Z_OPT FROM ZTEAM") != before)
    #expect(try await store.delete(team).deleted == ["Player": 1, "Team": 1])
    #expect(try await failure { try await store.delete(team) }?.reason == .noObject)
  }

  @Test func aFailedWriteChangesNothing() async throws {
    let sample = try await SampleStore("League")
    let store = sample.store
    let team = try await store.create(Team(name: "Tigers"))
    let other = try await store.create(Team(name: "Lions"))
    let before = try sample.content()
    for _ in 0..<2 {
      #expect(
        try await failure { try await store.create(Team(name: "Lions")) }?.reason == .notUnique)
      let update = try await failure { try await store.update(other) { $0.name = "Tigers" } }
      #expect(update?.reason == .notUnique)
    }
    #expect(try sample.content() == before)
    // A caught error rolls back only its own request.
    try await store.transaction { transaction in
      try transaction.update(team) { $0.points = 5 }
      do {
        try transaction.create([Team(name: "Bears"), Team(name: "Lions")])
      } catch {}
    }
    #expect(
      try sample.rows("SELECT ZNAME, ZPOINTS FROM ZTEAM ORDER BY 1") == ["Lions|0", "Tigers|5"])
  }
}

/// Collects the statements of a store.
final class StatementList: StoreObserver {
  private let list = Mutex<[String]>([])

  var all: [String] { list.withLock { $0 } }

  func removeAll() { list.withLock { $0 = [] } }

  func begin(_ request: StoreRequest, on path: String) -> (any RequestObserver)? {
    Request(list: self)
  }

  private struct Request: RequestObserver {
    let list: StatementList

    func ended(_ statement: StatementEvent) { list.list.withLock { $0.append(statement.sql) } }
    func ended(_ request: RequestEvent) {}
  }
}
