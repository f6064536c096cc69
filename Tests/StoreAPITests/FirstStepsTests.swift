import Foundation
import StoreEngine
import TestSupport
import Testing

/// The code on the pages compiles, and has the results that the pages describe.
struct FirstStepsTests {
  @Test(arguments: [
    ("FirstSteps", "FirstSteps", 9), ("Transactions", "FirstSteps", 2),
    ("Sharing", "FirstSteps", 3), ("Requests", "Guides", 3), ("Writing", "Guides", 2),
    ("Testing", "Guides", 2), ("Errors", "Guides", 2),
    ("Relationships", "RelationshipSteps", 4), ("StoreVerification", "Guides", 2),
    ("StoreComparison", "Guides", 2),
  ])
  func isWhatIsCompiled(_ name: String, file: String, blockCount: Int) throws {
    let root = BuiltCommand.repository
    let source = try String(
      contentsOf: root.appendingPathComponent("Tests/StoreAPITests/\(file).swift"),
      encoding: .utf8)
    let module = name.hasPrefix("Store") ? name : "StoreEngine"
    let page = try String(
      contentsOf: root.appendingPathComponent("Sources/\(module)/\(module).docc/\(name).md"),
      encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(blocks.count == blockCount)
    let compiled = source.components(separatedBy: "\n")
      .map { $0.hasPrefix("  ") ? String($0.dropFirst(2)) : $0 }.joined(separator: "\n")
    for block in blocks { #expect(compiled.contains(block)) }
  }

  @Test func runs() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Shop.sqlite")
    try await takeFirstSteps(at: path)
    try await shareStore(at: path)
    let store = try await PersistentStore.open(path, schema: ShopModel.self)
    let left = try await store.fetch(
      Product.all.ordered(by: \.title).select(\.title, \.amount, \.price))
    #expect(left.map(\.0) == ["Assam", "Pu-erh", "Sencha", "Sencha, sold"])
    #expect(left.map(\.1) == [1, 11, 20, 1])
    #expect(left.map(\.2) == [5, 30, 14, 14])
    try await store.close()
  }

  @Test func guidesRun() async throws {
    let store = try await PersistentStore.temporary(schema: ShopModel.self)
    try await takeRequests(store)
    try await takeWriting(store)
    #expect(try await store.fetch(Product.all.count) == 500)
    try await takeTesting()
    try await takeErrors(store)
    #expect(try await store.fetch(Product.all.count) == 500)
    try await store.close()
  }

  @Test func pagesAboutInspectionRun() async throws {
    let folder = try TemporaryFolder()
    let (path, backup) = (folder.path("Shop.sqlite"), folder.path("Backup.sqlite"))
    let store = try await PersistentStore.create(path, schema: ShopModel.self)
    try await store.create(Product(title: "Sencha"))
    try await takeVerification(store)
    try await store.close()
    try await takeRepair(at: path)
    try FileManager.default.copyItem(atPath: path, toPath: backup)
    let changed = try await PersistentStore.open(path, schema: ShopModel.self)
    try await changed.create(Product(title: "Assam"))
    try await takeComparison(changed, at: backup)
    try await changed.close()
  }

  @Test func relationshipsRun() async throws {
    let folder = try TemporaryFolder()
    #expect(
      try await takeRelationshipSteps(at: folder.path("Market.sqlite")) == [
        "1 Ann", "2 tea", "1 pot", "1 2", "tea 240.0", "pot 30.0", "true false",
      ])
  }
}
