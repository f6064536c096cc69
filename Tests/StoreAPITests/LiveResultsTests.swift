import Foundation
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Live results, as programs use them.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct LiveResultsTests {
  private static func path(_ keys: String...) -> FormatExpression {
    FormatExpression(
      .keyPath(base: FormatExpression(.selfObject), keys.map { KeyPathStep(.key($0)) }))
  }

  private static let employees = StoreFetchRequest(
    entity: "Employee", sort: [SortKey(path("name"))], sections: path("department", "name"))

  private static func company() async throws -> SampleStore {
    let sample = try await SampleStore("Company")
    try await sample.store.batchInsert(
      [["name": .string("Sales")], ["name": .string("Research")]], into: "Department")
    let (sales, research) = (Self.id("Department", 1), Self.id("Department", 2))
    try await sample.store.batchInsert(
      [
        ["name": .string("Ann"), "department": sales],
        ["name": .string("Bob"), "department": research],
        ["name": .string("Cleo"), "department": sales], ["name": .string("Dan")],
      ], into: "Employee")
    return sample
  }

  private static func id(_ entity: String, _ key: Int64) -> DataValue {
    .objectID(ObjectID(store: nil, entity: entity, primaryKey: key))
  }

  private static func names(
    _ results: LiveResults<FetchedRow>, _ list: ResultList
  ) async throws -> [String] {
    var lines: [String] = []
    var next = 0
    for section in list.sections {
      let ids = list.objectIDs[next..<(next + section.count)]
      next += section.count
      let rows = try await results.rows(ids)
      let names = rows.map { row -> String in
        if case .string(let name)? = row?["name"] { name } else { "-" }
      }
      lines.append("\(section.indexTitle ?? "") \(section.name): \(names.joined(separator: " "))")
    }
    return lines
  }

  @Test func sectionsNamesCountsAndTitles() async throws {
    let sample = try await Self.company()
    let results = try await sample.store.liveResults(Self.employees)
    let list = results.list
    #expect(
      try await Self.names(results, list) == [" : Dan", "R Research: Bob", "S Sales: Ann Cleo"])
    #expect(list.sections.map(\.count) == [1, 1, 2])
    #expect(list.sectionIndexTitles == ["R", "S"])
    #expect(list.section(forIndexTitleAt: 1) == 2)
    let cleo = list[ResultIndexPath(section: 2, row: 1)]
    #expect(cleo.primaryKey == 3 && cleo.entity == "Employee")
    #expect(list.indexPath(of: cleo) == ResultIndexPath(section: 2, row: 1))
    #expect(list.indexPath(of: ObjectID(store: nil, entity: "Employee", primaryKey: 9)) == nil)
    let row = try #require(try await results.row(cleo))
    #expect(row["age"] == .integer(18) && row["salary"] == .null)
    guard case .objectID(let department)? = row["department"] else {
      Issue.record("no department")
      return
    }
    #expect(department.entity == "Department" && department.primaryKey == 1)
    let other = try await sample.store.liveResults(Self.employees, tracking: .none) { "<\($0)>" }
    #expect(other.list.sectionIndexTitles == ["<>", "<Research>", "<Sales>"])
  }

  @Test func seesRequestsOfThisStoreAndOtherProcesses() async throws {
    let sample = try await Self.company()
    let results = try await sample.store.liveResults(Self.employees)
    var changes = results.changes.makeAsyncIterator()
    try await sample.store.batchUpdate(
      BatchUpdate(
        entity: "Employee", values: [.init("name", .value(.string("Zoe")))],
        predicate: try matching("name == 'Ann'")))
    let first = try #require(try await changes.next())
    let move = try #require(first.difference.moves.first)
    #expect(first.difference.count == 1 && move.isUpdated)
    #expect(move.from == ResultIndexPath(section: 2, row: 0))
    #expect(move.to == ResultIndexPath(section: 2, row: 1))
    #expect(first.list[move.to] == first.old[move.from])

    // The section's name is in another row, which the sqlite3 shell changes.
    _ = try sample.rows("UPDATE ZDEPARTMENT SET ZNAME = 'Lab' WHERE Z_PK = 2")
    let second = try #require(try await changes.next())
    #expect(second.difference.deletedSections == [1] && second.difference.insertedSections == [1])
    #expect(second.list.sections.map(\.name) == ["", "Lab", "Sales"])

    try await sample.store.batchDelete(
      BatchDelete(entity: "Employee", predicate: try matching("department == nil")))
    let third = try #require(try await changes.next())
    #expect(third.difference.deletedSections == [0])
    #expect(third.difference.deletions == [ResultIndexPath(section: 0, row: 0)])
    #expect(third.list.count == 3 && results.list.count == 3)
  }

  @Test func changesSinceAListAreToldTogether() async throws {
    let sample = try await Self.company()
    let results = try await sample.store.liveResults(Self.employees)
    let shown = results.list
    for key in 1...3 { _ = try sample.rows("UPDATE ZEMPLOYEE SET ZAGE = 40 WHERE Z_PK = \(key)") }
    _ = try sample.rows("DELETE FROM ZEMPLOYEE WHERE Z_PK = 1")
    var known = shown
    var changes = results.changes(since: shown).makeAsyncIterator()
    while known.count > 3, let change = try await changes.next() { known = change.list }
    let difference = known.difference(from: shown)
    #expect(difference.deletions == [ResultIndexPath(section: 2, row: 0)])
    #expect(difference.updates.map(\.from).map(\.description) == ["1.0", "2.1"])
  }

  @Test func endsWithItsTaskAndWithItsStore() async throws {
    let sample = try await Self.company()
    let results = try await sample.store.liveResults(Self.employees)
    let waiting = Task { try await all(results.changes).count }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let others = Task { try await all(results.changes).count }
    try await Task.sleep(for: .milliseconds(50))
    try await sample.store.close()
    #expect(try await others.value == 0)
    let thrown = try await failure { _ = try await results.rows(results.list.objectIDs) }
    #expect(thrown?.reason == .closed)
    let late = try await failure {
      _ = try await sample.store.liveResults(Self.employees)
    }
    #expect(late?.reason == .closed)
  }

  @Test func withoutTrackingNothingChanges() async throws {
    let sample = try await Self.company()
    let results = try await sample.store.liveResults(Self.employees, tracking: .none)
    let waiting = Task { try await all(results.changes).count }
    try await sample.store.batchDelete(BatchDelete(entity: "Employee"))
    #expect(results.list.count == 4)
    #expect(try await results.row(results.list.objectIDs[0]) == nil)
    try await sample.store.close()
    #expect(try await waiting.value == 0)
  }

  @Test func aCacheIsNeverWrong() async throws {
    let sample = try await Self.company()
    let store = sample.store
    let cache = sample.folder.path(".Company_RESULTS/employees.results")
    func lines(_ request: StoreFetchRequest = Self.employees) async throws -> [String] {
      let results = try await store.liveResults(request, tracking: .cached(name: "employees"))
      return try await Self.names(results, results.list)
    }
    let before = try await lines()
    let file = try Data(contentsOf: URL(fileURLWithPath: cache))
    #expect(try await lines() == before)
    #expect(try Data(contentsOf: URL(fileURLWithPath: cache)) == file)
    // The store has changed.
    _ = try sample.rows("UPDATE ZEMPLOYEE SET ZNAME = 'Zoe' WHERE Z_PK = 1")
    #expect(try await lines() == [" : Dan", "R Research: Bob", "S Sales: Cleo Zoe"])
    // The request has changed.
    var request = Self.employees
    request.sort = [SortKey(Self.path("name"), isAscending: false)]
    #expect(try await lines(request) == [" : Dan", "R Research: Bob", "S Sales: Zoe Cleo"])
    // The cache file is damaged.
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: cache))
    #expect(try await lines() == [" : Dan", "R Research: Bob", "S Sales: Cleo Zoe"])
    try store.deleteCache(named: "employees")
    #expect(!FileManager.default.fileExists(atPath: cache))
    try store.deleteCache(named: nil)
  }

  @Test(arguments: [
    StoreFetchRequest(entity: "Employee", result: .count),
    StoreFetchRequest(entity: "Employee", isDistinct: true),
    StoreFetchRequest(
      entity: "Employee",
      result: .values([
        SelectedValue(FormatExpression(.function(.sum, [path("age")])), name: "sum")
      ])),
    StoreFetchRequest(entity: "Emploee"),
  ])
  func saysWhatIsNoList(_ request: StoreFetchRequest) async throws {
    let sample = try await SampleStore("Company")
    let thrown = try await failure { _ = try await sample.store.liveResults(request) }
    #expect(thrown?.reason == .invalidRequest)
  }
}
