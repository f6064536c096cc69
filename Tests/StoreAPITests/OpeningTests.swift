import Foundation
import StoreDiagnostics
import StoreEngine
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

@Suite(.enabled(if: SQLiteShell.executable != nil))
struct OpeningTests {
  private func model(_ name: String) throws -> DataModel {
    try SampleStore.bundle(name).requireCurrentVersion().read().model
  }

  private func reason(opening path: String, _ models: [DataModel]) async throws -> StoreError
    .Reason?
  {
    try await failure { _ = try await PersistentStore.open(path, models: models) }?.reason
  }

  @Test func ofSeveralModelsTheOneThatWroteTheStore() async throws {
    let folder = try TemporaryFolder()
    let versions = try SampleStore.bundle("Todo").versions.map { try $0.read().model }
    #expect(versions.map(\.name) == ["Todo", "Todo 2"])
    for version in versions {
      let path = folder.path("\(version.name).sqlite")
      try await PersistentStore.create(path, for: version)
      let store = try await PersistentStore.open(
        path, models: [try model("League")] + versions)
      #expect(store.model == version)
      #expect(store.path == path)
      try await store.close()
    }
  }

  @Test func unknownVersion() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Todo.sqlite")
    let versions = try SampleStore.bundle("Todo").versions.map { try $0.read().model }
    try await PersistentStore.create(path, for: versions[0])
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let unknown = try await failure {
      _ = try await PersistentStore.open(path, models: [versions[1]])
    }
    #expect(unknown?.reason == .unknownVersion)
    #expect(
      unknown?.diagnostics.first?.help.last
        == "the closest version is 'Todo 2'; it differs in 'Item' (different version hash)")
    #expect(try await reason(opening: path, []) == .unknownVersion)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Todo.sqlite"])
  }

  @Test func whatIsNoStore() async throws {
    let folder = try TemporaryFolder()
    let todo = try model("Todo")
    #expect(try await reason(opening: folder.path("none"), [todo]) == .notFound)
    #expect(try await reason(opening: folder.url.path, [todo]) == .notAStore)
    #expect(
      try await reason(opening: folder.write("no database", to: "text.sqlite"), [todo])
        == .notAStore)
    let taken = try await failure {
      try await PersistentStore.create(folder.path("text.sqlite"), for: todo)
    }
    #expect(taken?.reason == .exists)
    let lost = try await failure {
      try await PersistentStore.create(folder.path("no/Todo.sqlite"), for: todo)
    }
    #expect(lost?.reason == .notFound)
  }

  /// The effect of the trigger on the table's rows is unknown, so updates of the table are rejected.
  @Test func aTableThatCouldNotBeKeptRight() async throws {
    let sample = try await SampleStore("Todo")
    try await sample.store.close()
    _ = try sample.rows("CREATE TRIGGER mine AFTER UPDATE ON ZITEM BEGIN SELECT 1; END")
    let store = try await PersistentStore.open(sample.path, models: [try model("Todo")])
    let update = BatchUpdate(entity: "Item", values: [.init("priority", .value(.integer(9)))])
    let refused = try await failure { try await store.batchUpdate(update) }
    #expect(refused?.reason == .unsupportedStore)
  }

  @Test func lockedByAnotherConnection() async throws {
    let sample = try await SampleStore.items(20_000)
    let other = try await PersistentStore.open(sample.path, models: [sample.store.model])
    let barrier = Barrier()
    let update = BatchUpdate(entity: "Item", values: [.init("priority", .value(.integer(9)))])
    let writing = Task { try await other.batchUpdate(update, progress: barrier.hold) }
    await barrier.isReached()
    let locked = try await failure {
      try await sample.store.batchDelete(BatchDelete(entity: "Item"))
    }
    #expect(locked?.reason == .locked)
    barrier.open()
    #expect(try await writing.value.changed == 20_000)
    #expect(try await sample.store.batchDelete(BatchDelete(entity: "Item")).deletedCount == 20_000)
  }

  /// A process that closes a store as its last user checkpoints the -wal and removes it. It must notice that this
  /// process still uses the store, even after other code in this process has opened and closed the file.
  @Test func othersComeAndGo() async throws {
    let sample = try await SampleStore.items(1)
    let model = sample.store.model
    for count in 2...4 {
      #expect(try sample.rows("SELECT count(*) FROM ZITEM") == ["\(count - 1)"])
      let second = try await PersistentStore.open(sample.path, models: [model])
      try await second.batchUpdate(
        BatchUpdate(entity: "Item", values: [.init("note", .value(.string("\(count)")))]))
      if count == 3 { try await second.close() }
      try await sample.store.batchInsert([["name": .string("item \(count)")]], into: "Item")
    }
    #expect(
      try sample.rows("SELECT count(*), sum(ZNOTE IS NOT NULL), max(ZNOTE) FROM ZITEM") == ["4|3|4"]
    )
    #expect(try sample.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test func afterClosing() async throws {
    let sample = try await SampleStore.items(3)
    let update = BatchUpdate(
      entity: "Item", values: [.init("priority", .value(.integer(9)))])
    let ids = try await sample.store.batchUpdate(update, returning: .objectIDs)
    try await sample.store.close()
    #expect(
      try await failure { try await sample.store.batchUpdate(update) }?.reason == .closed)
    #expect(try await failure { _ = try await all(ids) }?.reason == .closed)
    // A second call has no effect, even if two tasks close the store at the same time.
    try await sample.store.close()
    let other = try await PersistentStore.open(sample.path, models: [sample.store.model])
    async let first: Void = other.close()
    async let second: Void = other.close()
    _ = try await (first, second)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: sample.folder.url.path)
        == ["Todo.sqlite"])
  }

  @Test func modelsOfAFolder() throws {
    let models = BuiltCommand.repository.appendingPathComponent("Models").path
    #expect(
      try ModelBundle.find(at: models).map(\.name) == [
        "BubbleTea", "Company", "Journal", "League", "People", "Shop", "Todo",
      ])
    let several = #expect(throws: ModelBundleError.self) { try ModelBundle(at: models) }
    guard case .severalModels(_, let found)? = several else {
      Issue.record("not several models: \(String(describing: several))")
      return
    }
    #expect(found.count == 7)
    let bundle = try ModelBundle(at: found[6].path)
    #expect(bundle.currentVersion?.name == "Todo 2")
    #expect(try bundle.version(named: "Todo").read().diagnostics.isEmpty)
  }

  @Test func aMissingStoreIsMade() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Shop.sqlite")
    // Of several concurrent calls, one creates the store and all open it.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...8 {
        group.addTask {
          let store = try await PersistentStore.openOrCreate(path, schema: ShopModel.self)
          try await store.create(Product(title: "Tea \(number)"))
          try await store.close()
        }
      }
      try await group.waitForAll()
    }
    let store = try await PersistentStore.openOrCreate(path, schema: ShopModel.self)
    #expect(try await store.fetch(Product.all.count) == 8)
    try await store.close()
    let nowhere = try await failure {
      _ = try await PersistentStore.openOrCreate(
        folder.path("nowhere/Shop.sqlite"), schema: ShopModel.self)
    }
    #expect(nowhere?.reason == .notFound)
  }

  @Test func whatIsNoStoreIsLeftAlone() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a text", to: "Shop.sqlite")
    let refusal = try await failure {
      _ = try await PersistentStore.openOrCreate(path, schema: ShopModel.self)
    }
    #expect(refusal?.reason == .notAStore)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "a text")
  }
}
