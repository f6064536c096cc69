import Foundation
import StoreDiagnostics
import StoreEngine
import StoreMigration
import StoreModel
import TestSupport
import Testing

@Suite(.enabled(if: SQLiteShell.executable != nil))
struct OpeningOptionsTests {
  private static let titles = Product.all.ordered(by: .ascending(\.title)).select(\.title)

  /// Creates a store with two products, and closes it.
  private func shop(
    in folder: TemporaryFolder, _ settings: NewStoreSettings = NewStoreSettings()
  ) async throws -> String {
    let path = folder.path("Shop.sqlite")
    let store = try await PersistentStore.create(
      path, schema: ShopModel.self, options: .init(newStore: settings))
    try await store.create(Product(title: "Assam"))
    try await store.create(Product(title: "Sencha"))
    try await store.close()
    return path
  }

  private func shell(_ sql: String, _ path: String, in folder: TemporaryFolder) throws -> String {
    let result = try BuiltCommand(in: folder.url).run(
      "'\(SQLiteShell.executable ?? "sqlite3")' '\(path)'", input: sql)
    return result.errors + result.output
  }

  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  @Test(arguments: NewStoreSettings.Journal.allCases)
  func readsWithoutChangingFiles(_ journal: NewStoreSettings.Journal) async throws {
    let folder = try TemporaryFolder()
    let path = try await shop(in: folder, .init(journal: journal))
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let store = try await PersistentStore.open(path, schema: ShopModel.self, options: .readOnly)
    #expect(try await store.fetch(Self.titles) == ["Assam", "Sencha"])
    #expect(try await store.read { try $0.fetch(Product.all.count) } == 2)
    var streamed: [String] = []
    for try await batch in store.stream(Self.titles, batchSize: 1) { streamed += batch }
    #expect(streamed == ["Assam", "Sencha"])
    let live = try await store.liveResults(Product.all.ordered(by: .ascending(\.title)))
    #expect(live.list.count == 2)
    let dryRun = try await store.dryRun(of: BatchDelete(entity: "Product"))
    #expect(dryRun.deletedCount == 2)
    #expect(try names(in: folder) == ["Shop.sqlite"])
    try await store.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try names(in: folder) == ["Shop.sqlite"])
  }

  @Test func rejectsWritesToReadOnlyStore() async throws {
    let folder = try TemporaryFolder()
    let path = try await shop(in: folder)
    let store = try await PersistentStore.open(path, schema: ShopModel.self, options: .readOnly)
    let creation = try await failure { try await store.create(Product(title: "Gyokuro")) }
    #expect(creation?.reason == .readOnly)
    #expect(
      creation?.diagnostics.first?.message
        == "create of 'Product' can't change '\(path)', which is open for reading only")
    let deletion = try await failure {
      try await store.batchDelete(BatchDelete(entity: "Product"))
    }
    #expect(deletion?.reason == .readOnly)
    let insertion = try await failure { try await store.batchInsert([Product(title: "Gyokuro")]) }
    #expect(insertion?.reason == .readOnly)
    #expect(try await failure { try await store.transaction { _ in } }?.reason == .readOnly)
    #expect(try await store.fetch(Product.all.count) == 2)
  }

  @Test(arguments: NewStoreSettings.Journal.allCases, [0, 4])
  func readOnlyStoreSeesWritesOfOthers(
    _ journal: NewStoreSettings.Journal, readers: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try await shop(in: folder, .init(journal: journal))
    let store = try await PersistentStore.open(
      path, schema: ShopModel.self, options: .init(readers: readers, isReadOnly: true))
    #expect(try await store.fetch(Self.titles) == ["Assam", "Sencha"])
    // The shell closes the store after each write. This process leaves it open.
    #expect(
      try shell("UPDATE ZPRODUCT SET ZTITLE = 'Bancha' WHERE Z_PK = 1", path, in: folder) == "")
    #expect(try await store.fetch(Self.titles) == ["Bancha", "Sencha"])
    let writer = try await PersistentStore.open(path, schema: ShopModel.self)
    for number in 3...5 {
      try await writer.create(Product(title: "Tea \(number)"))
      #expect(try await store.fetch(Product.all.count) == number)
    }
    try await writer.close()
    #expect(try await store.fetch(Product.all.count) == 5)
    try await store.close()
  }

  @Test func readOnlyCreatesAndMigratesNothing() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Shop.sqlite")
    let missing = try await failure {
      _ = try await PersistentStore.openOrCreate(path, schema: ShopModel.self, options: .readOnly)
    }
    #expect(missing?.reason == .notFound)
    #expect(try names(in: folder) == [])
  }

  @Test func removesTemporaryStore() async throws {
    var store: PersistentStore? = try await PersistentStore.temporary(schema: ShopModel.self)
    let path = try #require(store).path
    #expect(path.hasSuffix("/Shop.sqlite"))
    try await store?.create(Product(title: "Assam"))
    #expect(try await store?.fetch(Product.all.count) == 1)
    #expect(FileManager.default.fileExists(atPath: path))
    try await store?.close()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    #expect(!FileManager.default.fileExists(atPath: folder))

    store = try await PersistentStore.temporary(for: ShopModel.model)
    let other = try #require(store).path
    #expect(other != path)
    // Another connection sees a write immediately.
    try await store?.create(Product(title: "Assam"))
    let reader = try await PersistentStore.open(other, schema: ShopModel.self, options: .readOnly)
    #expect(try await reader.fetch(Product.all.count) == 1)
    try await reader.close()
    store = nil
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test func rejectsMemory() async throws {
    let opening = try await failure {
      _ = try await PersistentStore.open(":memory:", schema: ShopModel.self)
    }
    let creation = try await failure {
      _ = try await PersistentStore.openOrCreate(":memory:", schema: ShopModel.self)
    }
    for refusal in [opening, creation] {
      #expect(refusal?.reason == .notAStore)
      #expect(
        "\(refusal.map(String.init(describing:)) ?? "")" == """
          error: a store can't be in memory [store.memory]
            help: use 'PersistentStore.temporary' for a store that is removed when it is closed
          """)
    }
    #expect(!FileManager.default.fileExists(atPath: ":memory:"))
  }

  @Test func createsStoreWithSettings() async throws {
    let folder = try TemporaryFolder()
    let path = try await shop(
      in: folder, .init(tracksHistory: true, journal: .rollback, pageSize: 8192))
    #expect(
      try shell("PRAGMA page_size; PRAGMA journal_mode; PRAGMA auto_vacuum;", path, in: folder)
        == "8192\ndelete\n2\n")
    #expect(
      try shell("SELECT ZENTITY, ZENTITYPK, ZCHANGETYPE FROM ACHANGE", path, in: folder)
        == "1|1|0\n1|2|0\n")
    #expect(
      try shell("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1", path, in: folder)
        == "1|Product|2\n16001|CHANGE|2\n16002|TRANSACTION|2\n16003|TRANSACTIONSTRING|1\n")

    let temporary = try await PersistentStore.temporary(
      schema: ShopModel.self, options: .init(newStore: .init(pageSize: 512)))
    #expect(try shell("PRAGMA page_size", temporary.path, in: folder) == "512\n")
    for size in [0, 256, 1000, 131_072] {
      let refusal = try await failure {
        try await PersistentStore.create(
          folder.path("\(size).sqlite"), for: ShopModel.model, settings: .init(pageSize: size))
      }
      #expect(refusal?.reason == .invalidRequest)
    }
    #expect(try names(in: folder) == ["Shop.sqlite"])
  }

  @Test func opensURLs() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("Bücher & Tee 50%.sqlite")
    let store = try await PersistentStore.openOrCreate(url, schema: ShopModel.self)
    #expect(store.url == url)
    #expect(try names(in: folder).contains(url.lastPathComponent))
    try await store.close()
    let again = try await PersistentStore.open(url, schema: ShopModel.self)
    #expect(again.path == store.path)
    try await again.close()
    let refusal = try await failure {
      _ = try await PersistentStore.open(
        #require(URL(string: "https://example.com/Shop.sqlite")), schema: ShopModel.self)
    }
    #expect(
      refusal?.diagnostics.first?.message == "'https://example.com/Shop.sqlite' isn't a file URL")
  }
}
