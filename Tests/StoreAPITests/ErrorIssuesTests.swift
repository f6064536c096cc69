import Foundation
import StoreDiagnostics
import StoreEngine
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

struct ErrorIssuesTests {
  @Test func newRowHasIssueForProperty() async throws {
    let store = try await PersistentStore.temporary(schema: ShopModel.self)
    let error = try await failure { try await store.create(Product(price: -1, title: "Sencha")) }
    let issue = try #require(error?.issues.first)
    #expect(error?.issues.count == 1)
    #expect(issue.entity == "Product")
    #expect(issue.property == "price")
    #expect(issue.objectID == nil)
    #expect(issue.message == error?.diagnostics.first?.message)
  }

  @Test func updatedRowHasIssueWithObjectID() async throws {
    let store = try await PersistentStore.temporary(schema: ShopModel.self)
    let id = try await store.create(Product(title: "Sencha"))
    let rejections = [
      try await failure { try await store.update(id) { $0.price = -1 } },
      try await failure { try await store.transaction { _ = try $0.update(id) { $0.price = -1 } } },
    ]
    for error in rejections {
      #expect(error?.issues.map(\.entity) == ["Product"])
      #expect(error?.issues.map(\.property) == ["price"])
      #expect(error?.issues.first?.objectID == id.objectID)
    }
  }

  @Test func batchUpdateHasIssueForEntity() async throws {
    let store = try await PersistentStore.temporary(schema: ShopModel.self)
    let error = try await failure {
      try await store.batchUpdate(
        BatchUpdate(entity: "Product", values: [.init("price", .value(.double(-1)))]))
    }
    #expect(error?.issues.map(\.entity) == ["Product"])
    #expect(error?.issues.map(\.property) == ["price"])
  }

  @Test func missingRowHasIssueWithoutProperty() async throws {
    let store = try await PersistentStore.temporary(schema: ShopModel.self)
    let id = try await store.create(Product(title: "Sencha"))
    try await store.delete(id)
    let error = try await failure { try await store.update(id) { $0.title = "Assam" } }
    #expect(error?.reason == .noObject)
    #expect(error?.issues.map(\.objectID) == [id.objectID])
    #expect(error?.issues.map(\.property) == [nil])
    #expect(error?.issues.map(\.message) == ["the store has no row 1 of 'Product'"])
  }

  @Test func otherErrorsHaveNoIssues() async throws {
    let store = try await PersistentStore.temporary(schema: ShopModel.self)
    try await store.close()
    let error = try await failure { _ = try await store.fetch(Product.all.count) }
    #expect(error?.reason == .closed)
    #expect(error?.issues == [])
  }

  @Test func localizedDescriptionIsTheMessage() async throws {
    let path = "none/Shop.sqlite"
    let error = try await failure {
      _ = try await PersistentStore.open(path, schema: ShopModel.self)
    }
    let thrown: any Error = try #require(error)
    #expect(thrown.localizedDescription == "the file 'none/Shop.sqlite' doesn't exist")
    #expect((thrown as? any LocalizedError)?.recoverySuggestion == error?.recoverySuggestion)
    let bundle = #expect(throws: ModelBundleError.self) { try ModelBundle(at: "none.xcdatamodeld") }
    #expect(bundle?.localizedDescription == bundle?.diagnostics.first?.message)
  }

  @Test func objectIDIsLosslessText() async throws {
    let store = try await PersistentStore.temporary(schema: ShopModel.self)
    let id = try await store.create(Product(title: "Sencha"))
    #expect(TypedObjectID<Product>("\(id)") == id)
    let short = try #require(TypedObjectID<Product>("Product/p1"))
    #expect(short == TypedObjectID<Product>(primaryKey: 1))
    #expect(TypedObjectID<Product>(short.description) == short)
    #expect(try await store.object(short)?.title == "Sencha")
    #expect(try await store.object(TypedObjectID<Product>(primaryKey: 2)) == nil)
    #expect(TypedObjectID<Product>("Item/p1") == nil)
    #expect(TypedObjectID<Product>("p1") == nil)
    #expect(try await store.update(short) { $0.title = "Assam" })
    #expect(try await store.fetch(Product.all.select(\.title)) == ["Assam"])
  }
}
