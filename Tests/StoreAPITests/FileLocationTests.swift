import Foundation
import StoreEngine
import StoreImport
import StoreMigration
import StoreVerification
import TestSupport
import Testing

/// Functions with the location of a file accept a file URL and a `LocalPath`.
struct FileLocationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func filesAreFoundAtURLs() async throws {
    let url = folder.url.appending(path: "Café 100 %.sqlite")
    let store = try await PersistentStore.create(url, schema: ShopModel.self)
    #expect(store.url.path == url.path)
    try await store.create(Product(title: "Sencha"))
    let copy = folder.url.appending(path: "Copy.sqlite")
    try await store.backup(to: copy)
    try await store.export(as: .csv, to: folder.url.appending(path: "all.csv"))
    try folder.write("title\nAssam\n", to: "teas.csv")
    try await store.batchInsert(
      contentsOf: folder.url.appending(path: "teas.csv"), into: "Product")
    #expect(try await store.fetch(Product.all.count) == 2)
    try await store.close()
    #expect(try await PersistentStore.verify(copy) == [])
    #expect(try await PersistentStore.compact(copy).bytesBefore > 0)

    let reopened = try await PersistentStore.open(LocalPath(copy.path), schema: ShopModel.self)
    #expect(try await reopened.fetch(Product.all).map(\.title) == ["Sencha"])
    try await reopened.close()
  }

  @Test func aURLOfAnotherSchemeIsRejected() async throws {
    let url = try #require(URL(string: "https://example.com/Shop.sqlite"))
    let store = try await PersistentStore.temporary(schema: ShopModel.self)
    for work: () async throws -> Void in [
      { _ = try await PersistentStore.openOrCreate(url, schema: ShopModel.self) },
      { try await PersistentStore.create(url, for: ShopModel.model) },
      { _ = try await PersistentStore.describe(url) },
      { try await store.backup(to: url) },
      { try await store.export(to: url) },
      { try await store.importRecords(contentsOf: [url]) },
      { try await StoreMigrator(url, to: JournalModel.self).run() },
    ] {
      let error = await #expect(throws: StoreError.self) { try await work() }
      #expect(error?.diagnostics.map(\.code) == ["store.url"])
    }
  }
}
