import Foundation
import PlainSQLite
import SampleData
import StoreDiagnostics
import StoreModel
import StorePredicate
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreEngine
@testable import StoreLayout

/// The connection and the queue that all live results of a store share.
@Suite(.timeLimit(.minutes(5))) struct StoreFollowingTests {
  /// A store with one row, which the test also writes as another process.
  private struct Fixture {
    let folder: TemporaryFolder
    let path: String

    init(_ journal: String = "WAL") async throws {
      folder = try TemporaryFolder()
      path = folder.path("Todo.sqlite")
      try await PersistentStore.create(path, for: SampleModels.todo)
      try edit("PRAGMA journal_mode = \(journal)")
      try edit(StoreFollowingTests.insert(1))
    }

    func edit(_ sql: String) throws { try PlainDatabase(path).execute(sql) }

    func open(_ options: PersistentStore.Options = .init()) async throws -> PersistentStore {
      try await PersistentStore.open(path, models: [SampleModels.todo], options: options)
    }

    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }
  }

  private static let request = StoreFetchRequest(entity: "Item")

  private static func insert(_ key: Int) -> String {
    "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (\(key), 1, 1, 'item \(key)')"
  }

  #if os(Linux)
    private static func descriptors(of path: String) throws -> Int {
      let folder = "/dev/fd"
      return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
        // A descriptor may have been closed in the meantime.
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "\(folder)/\(name)")
        return target?.hasSuffix(path) == true
      }
    }

    @Test func listsShareOneConnection() async throws {
      let fixture = try await Fixture()
      let store = try await fixture.open()
      // Each connection has a descriptor of this file. SQLite shares descriptors of the store itself.
      let name = "/" + fixture.path.split(separator: "/").suffix(2).joined(separator: "/") + "-wal"
      let before = try Self.descriptors(of: name)
      var results: [LiveResults<FetchedRow>] = []
      for _ in 0..<50 { results.append(try await store.liveResults(Self.request)) }
      let shared = try Self.descriptors(of: name)
      #expect(shared == before + 1)
      #expect(results.allSatisfy { $0.list.count == 1 })
      // The connection is closed with the last list.
      results = []
      for _ in 0..<500 where try Self.descriptors(of: name) != before {
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(try Self.descriptors(of: name) == before)
      try await store.close()
    }
  #endif

  @Test(arguments: ["WAL", "DELETE"]) func allListsSeeEachWrite(_ journal: String) async throws {
    let fixture = try await Fixture(journal)
    let store = try await fixture.open()
    var results: [LiveResults<FetchedRow>] = []
    for _ in 0..<20 { results.append(try await store.liveResults(Self.request)) }
    var changes = results.map { $0.changes.makeAsyncIterator() }
    try await store.batchDelete(BatchDelete(entity: "Item"))
    for index in changes.indices { #expect(try await changes[index].next()?.list.count == 0) }
    try fixture.edit(Self.insert(50))
    for index in changes.indices { #expect(try await changes[index].next()?.list.count == 1) }
    try await store.close()
    for index in changes.indices { #expect(try await changes[index].next() == nil) }
    #expect(throws: StoreError.self) { try store.requireOpen() }
  }

  @Test(arguments: ["WAL", "DELETE"]) func readOnlyStoreSeesWrites(_ journal: String) async throws {
    let fixture = try await Fixture(journal)
    let files = try fixture.files()
    let store = try await fixture.open(.readOnly)
    let results = try await store.liveResults(Self.request)
    let unfollowed = try await store.liveResults(Self.request, tracking: .none)
    #expect(try fixture.files() == files)
    var changes = results.changes.makeAsyncIterator()
    for key in 2...4 {
      try fixture.edit(Self.insert(key))
      #expect(try await changes.next()?.list.count == key)
      #expect(unfollowed.list.count == 1)
      #expect(try await unfollowed.rows(unfollowed.list.objectIDs).count { $0 != nil } == 1)
    }
    try await store.close()
    let thrown = await #expect(throws: StoreError.self) {
      try await results.rows(results.list.objectIDs)
    }
    #expect(thrown?.reason == .closed)
  }

  @Test func seesReplacedFile() async throws {
    let (fixture, other) = (try await Fixture("DELETE"), try await Fixture("DELETE"))
    try other.edit(Self.insert(2))
    try other.edit(Self.insert(3))
    let store = try await fixture.open(.readOnly)
    let results = try await store.liveResults(Self.request)
    var changes = results.changes.makeAsyncIterator()
    let draft = fixture.path + ".new"
    try FileManager.default.copyItem(atPath: other.path, toPath: draft)
    #expect(rename(draft, fixture.path) == 0)
    #expect(try await changes.next()?.list.count == 3)
    try await store.close()
  }

  /// A list whose rows can't be read ends, and the other lists continue.
  @Test func errorEndsOnlyItsList() async throws {
    let fixture = try await Fixture()
    let store = try await fixture.open()
    let lists = try await store.liveResults(StoreFetchRequest(entity: "List"))
    let items = try await store.liveResults(Self.request)
    try fixture.edit("DROP TABLE ZLIST")
    var changes = lists.changes.makeAsyncIterator()
    let thrown = await #expect(throws: StoreError.self) { try await changes.next() }
    #expect(thrown?.reason == .damaged)
    var others = items.changes.makeAsyncIterator()
    try fixture.edit(Self.insert(2))
    #expect(try await others.next()?.list.count == 2)
    try await store.close()
  }

  @Test func storeIsReleasedBeforeItsLists() async throws {
    let fixture = try await Fixture()
    var store: PersistentStore? = try await fixture.open()
    let results = try #require(try await store?.liveResults(Self.request))
    store = nil
    var changes = results.changes.makeAsyncIterator()
    try fixture.edit(Self.insert(2))
    #expect(try await changes.next()?.list.count == 2)
  }

  @Test func checksLessOftenWhileNothingIsWritten() {
    #expect(StoreFollowing.pause(after: .zero) == .milliseconds(5))
    #expect(StoreFollowing.pause(after: .milliseconds(160)) == .milliseconds(10))
    #expect(StoreFollowing.pause(after: .seconds(60)) == .milliseconds(40))
  }
}
