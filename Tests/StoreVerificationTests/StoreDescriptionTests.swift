import StoreDiagnostics
import SQLiteAccess
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreVerification

struct StoreDescriptionTests {
  @Test func aNewStoreIsOneFileWithCoreDatasSettings() throws {
    let fixture = try StoreFixture()
    #expect(try fixture.contents().keys.sorted() == ["Todo.sqlite"])
    let description = try Store.describe(LocalPath(fixture.path))
    #expect(description.file.journal == .wal)
    #expect(
      description.pages
        == .init(
          size: 4096, count: description.pages.count, freeCount: 0, autoVacuum: 2,
          encoding: "UTF-8"))
    #expect(description.modelCacheBytes == nil)
    #expect(description.remarks.isEmpty)
    #expect(
      description.entities.map { "\($0.number) \($0.name) \($0.table ?? "-") \($0.rowCount)" }
        == ["1 Item ZITEM 0", "2 List ZLIST 0"])
  }
}
