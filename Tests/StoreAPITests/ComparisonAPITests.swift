import Foundation
import StoreComparison
import StoreDiagnostics
import StoreEngine
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

/// Comparing a store of the model "League" with its backup.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct ComparisonAPITests {
  private let league: SampleStore
  private let models: [DataModel]
  private var store: PersistentStore { league.store }

  init() async throws {
    league = try await SampleStore("League")
    models = try SampleStore.bundle("League").versions.map { try $0.read().model }
    try await league.store.batchInsert(
      [["name": .string("Tigers")], ["name": .string("Bears")]], into: "Team")
    try await league.store.batchInsert(
      (1...20).map { ["name": .string("Player \($0)"), "team": .string("Tigers")] }, into: "Player")
  }

  /// Copies the store, and opens the copy for reading only.
  private func backUp() async throws -> PersistentStore {
    let path = league.folder.path("Backup.sqlite")
    #expect(try league.rows("VACUUM INTO '\(path)'") == [])
    return try await PersistentStore.open(path, models: models, options: .readOnly)
  }

  /// Changes two rows, adds a row and deletes a row.
  private func change() async throws {
    let bears = "name == 'Bears'"
    try await store.batchUpdate(
      BatchUpdate(
        entity: "Team",
        values: [.init("points", .value(.integer(9))), .init("city", .value(.string("Bern")))],
        predicate: try matching(bears)))
    try await store.batchUpdate(
      BatchUpdate(
        entity: "Player", values: [.init("team", .value(.null))],
        predicate: try matching("name == 'Player 4'")))
    try await store.batchInsert([["name": .string("Lions"), "points": .integer(2)]], into: "Team")
    try await store.batchDelete(
      BatchDelete(entity: "Player", predicate: try matching("name == 'Player 9'")))
  }

  private func found(
    _ older: PersistentStore, by rules: ComparisonRules = ComparisonRules()
  ) async throws -> (rows: [RowDifference], summary: ComparisonSummary) {
    var rows: [RowDifference] = []
    let summary = try await store.compare(with: older, by: rules) { rows.append($0) }
    return (rows, summary)
  }

  @Test func equalStoresHaveNoDifferences() async throws {
    let summary = try await store.compare(with: try await backUp())
    #expect(summary.differences == 0 && summary.omitted == [])
    #expect(summary.entities.map(\.entity) == ["Player", "Team"])
    #expect(summary.entities.map(\.newRows) == [20, 2])
  }

  @Test func differencesHaveOldAndNewValues() async throws {
    let backup = try await backUp()
    try await change()
    let (rows, summary) = try await found(backup)
    #expect(rows.map(\.kind) == [.changed, .removed, .changed, .changed, .added])
    #expect(rows.map(\.entity) == ["Player", "Player", "Team", "Team", "Team"])
    let tigers = try #require(rows.first { $0["players"] != nil && $0.kind == .changed })
    let bears = try #require(rows.first { $0["points"] != nil && $0.kind == .changed })
    #expect(bears.properties.map(\.property) == ["city", "points"])
    #expect(bears["city"]?.old == .attribute(.null))
    #expect(bears["city"]?.new == .attribute(.string("Bern")))
    #expect(bears["points"]?.old == .attribute(.integer(0)))
    #expect(bears["points"]?.new == .attribute(.integer(9)))
    #expect(bears.objectID == bears.oldObjectID)
    #expect(rows[0]["team"]?.old == .toOne(tigers.objectID))
    #expect(rows[0]["team"]?.new == .toOne(nil))
    guard case .toMany(let old)? = tigers["players"]?.old,
      case .toMany(let new)? = tigers["players"]?.new
    else {
      Issue.record("the members are missing")
      return
    }
    #expect(old.count == 20 && new.count == 18 && Set(new).isSubset(of: old))
    #expect(rows[4].oldObjectID == nil && rows[4]["name"]?.old == nil)
    #expect(rows[4]["name"]?.new == .attribute(.string("Lions")))
    #expect(rows[1]["name"]?.old == .attribute(.string("Player 9")) && rows[1]["name"]?.new == nil)
    #expect(summary.entities.map(\.added) == [0, 1])
    #expect(summary.entities.map(\.removed) == [1, 0])
    #expect(summary.entities.map(\.changed) == [1, 2])
    #expect(try await store.compare(with: backup).differences == summary.differences)
  }

  @Test func differencesEqualTheOutputOfTheCommand() async throws {
    let backup = try await backUp()
    try await change()
    let model = BuiltCommand.repository.appendingPathComponent("Models/League.xcdatamodeld").path
    let result = try BuiltCommand(in: league.folder.url).run(
      "storetool diff '\(backup.path)' '\(league.path)' --model '\(model)' --rows --format ndjson")
    let lines = try result.output.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        "\(result.errors)")
    }
    let (rows, _) = try await found(backup)
    #expect(lines.map { $0["change"] as? String } == rows.map(\.kind.rawValue))
    #expect(lines.map { $0["entity"] as? String } == rows.map(\.entity))
    #expect(lines.map { $0["id"] as? String } == rows.map(\.objectID.uri))
    for (line, row) in zip(lines, rows) {
      let sides = [(line["old"], \PropertyDifference.old), (line["new"], \.new)]
      for (printed, side) in sides {
        let values = printed as? [String: Any]
        for property in row.properties {
          #expect(text(values?[property.property]) == text(property[keyPath: side]))
        }
      }
    }
  }

  private func text(_ printed: Any?) -> String {
    switch printed {
    case nil, is NSNull: "-"
    case let list as [Any]: list.map { "\($0)" }.joined(separator: " ")
    case let value?: "\(value)"
    }
  }

  private func text(_ value: ComparedValue?) -> String {
    switch value {
    case nil, .attribute(.null), .toOne(nil): "-"
    case .attribute(.integer(let number)): "\(number)"
    case .attribute(.string(let text)): text
    case .attribute(let other): "\(other)"
    case .toOne(let id?): id.uri
    case .toMany(let ids): ids.map(\.uri).joined(separator: " ")
    }
  }

  @Test func rulesLimitAndMatchRows() async throws {
    let backup = try await backUp()
    try await change()
    let teams = try await found(
      backup, by: ComparisonRules(entities: ["Team"], ignored: ["players", "Team.city"]))
    #expect(teams.rows.map(\.kind) == [.changed, .added])
    #expect(teams.rows.first?.properties.map(\.property) == ["points"])
    var rules = ComparisonRules(entities: ["Team"], ignored: ["players"])
    rules.keys = [EntityKey(entity: "Team", attributes: ["city"])]
    let byCity = try await store.compare(with: backup, by: rules)
    #expect(byCity.entities.first?.matching == .key(["city"]))
    #expect(byCity.entities.first?.withoutKey == 4)
    let unknown = try await failure {
      _ = try await store.compare(with: backup, by: ComparisonRules(entities: ["Teem"]))
    }
    #expect(unknown?.reason == .invalidRequest)
    #expect(unknown?.diagnostics.first?.code == "compare.unknown-entity")
    rules.keys = [EntityKey(entity: "Team", attributes: ["points"])]
    let ambiguous = try await failure { _ = try await store.compare(with: backup, by: rules) }
    #expect(ambiguous?.diagnostics.first?.code == "compare.ambiguous-key")
  }

  @Test func anErrorOfTheFunctionEndsTheComparison() async throws {
    struct Enough: Error {}
    let backup = try await backUp()
    try await store.batchUpdate(
      BatchUpdate(entity: "Player", values: [.init("goals", .value(.integer(3)))]))
    var count = 0
    await #expect(throws: Enough.self) {
      try await store.compare(with: backup) { _ in
        count += 1
        // The store can be used during a comparison.
        try await store.batchUpdate(
          BatchUpdate(entity: "Team", values: [.init("points", .value(.integer(1)))]))
        if count == 3 { throw Enough() }
      }
    }
    #expect(count == 3)
    #expect(try await store.compare(with: backup).differences > 0)
  }

  @Test func aSlowFunctionReceivesEachDifferenceOnce() async throws {
    let backup = try await backUp()
    try await store.batchInsert(
      (1...1_000).map { ["name": .string("New \($0)")] }, into: "Player")
    var names: Set<ObjectID> = []
    let summary = try await store.compare(with: backup) { row in
      if names.count % 300 == 0 { try await Task.sleep(for: .milliseconds(20)) }
      #expect(names.insert(row.objectID).inserted)
    }
    #expect(names.count == 1_000 && summary.differences == 1_000)
  }

  @Test func aCancelledTaskThrows() async throws {
    let backup = try await backUp()
    try await store.batchInsert(
      (1...1_000).map { ["name": .string("New \($0)")] }, into: "Player")
    let barrier = AsyncStream<Void>.makeStream()
    let task = Task { [store] in
      try await store.compare(with: backup) { _ in
        barrier.continuation.yield()
        try await Task.sleep(for: .seconds(60))
      }
    }
    for await _ in barrier.stream { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    let early = Task { [store] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.compare(with: backup) { _ in }
    }
    await #expect(throws: CancellationError.self) { _ = try await early.value }
    #expect(try await store.compare(with: backup).differences == 1_000)
  }

  @Test func aClosedStoreIsAnError() async throws {
    let backup = try await backUp()
    try await backup.close()
    #expect(try await failure { _ = try await store.compare(with: backup) }?.reason == .closed)
  }

  @Test func changesSinceAToken() async throws {
    let shop = try await PersistentStore.temporary(
      schema: ShopModel.self, options: .init(newStore: NewStoreSettings(tracksHistory: true)))
    let sencha = try await shop.create(Product(title: "Sencha"))
    let token = try await shop.lastHistoryToken()
    let assam = try await shop.create(Product(title: "Assam"))
    try await shop.update(sencha) { $0.price = 3 }
    try await shop.update(sencha) { $0.price = 4 }
    var rows: [RowDifference] = []
    let summary = try await shop.compare(since: token) { rows.append($0) }
    #expect(rows.map(\.kind) == [.changed, .added])
    #expect(rows.map(\.objectID) == [sencha.objectID, assam.objectID])
    #expect(rows[0].properties.map(\.property) == ["price"] && rows[0].oldObjectID == nil)
    #expect(rows[0]["price"]?.new == .attribute(.integer(4)) && rows[0]["price"]?.old == nil)
    #expect(summary.differences == 2)
    #expect(try await shop.compare(since: token).differences == 2)
    let later = StoreHistory.Token(transaction: token.transaction + 9)
    let unknown = try await failure { _ = try await shop.compare(since: later) }
    #expect(unknown?.reason == .historyIncomplete)
    let plain = try await failure { _ = try await store.compare(since: token) }
    #expect(plain?.reason == .unsupportedStore)
  }
}
