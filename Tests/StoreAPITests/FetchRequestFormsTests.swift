import Foundation
import StoreDiagnostics
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// The four forms of a fetch request, each with all result types.
@Suite(.enabled(if: SQLiteShell.executable != nil))
struct FetchRequestFormsTests {
  private func shop() async throws -> PersistentStore {
    let store = try await SampleStore("Shop").store
    try await store.create([
      Product(amount: 5, country: "Japan", price: 12.5, title: "Sencha"),
      Product(amount: 0, country: "Japan", price: 30, title: "Gyokuro"),
      Product(amount: 0, country: "India", price: nil, title: "Assam"),
    ])
    return store
  }

  /// Expects that rows, count, dictionaries and object IDs describe the same rows.
  private func expect(
    _ titles: [String], of request: StoreFetchRequest, in store: PersistentStore
  ) async throws {
    let rows = try await store.fetch(request)
    #expect(rows.map { $0["title"] } == titles.map { .string($0) })
    #expect(try await store.fetch(request, returning: .count) == titles.count)
    #expect(try await store.fetch(request, returning: .dictionaries) == rows.map(\.values))
    #expect(try await store.fetch(request, returning: .objectIDs) == rows.map(\.id))
    for row in rows {
      let id = try #require(Product.ID(row.id))
      #expect(try await store.object(id)?.value.propertyValues == row.values)
    }
  }

  @Test func fromAnEntityValue() async throws {
    let store = try await shop()
    let request = StoreFetchRequest(try store.model.requireEntity(named: "Product"))
    try await expect(["Sencha", "Gyokuro", "Assam"], of: request, in: store)
  }

  /// Equals the result for an entity with neither attributes nor to-one relationships.
  @Test func rowsWithoutValues() async throws {
    let store = try await shop()
    var request = StoreFetchRequest(entity: "Product", result: .values([]))
    #expect(try await store.fetch(request, returning: .dictionaries) == [[:], [:], [:]])
    request.isDistinct = true
    #expect(try await store.fetch(request, returning: .dictionaries) == [[:]])
  }

  @Test func fromAnEntityName() async throws {
    let store = try await shop()
    var request = StoreFetchRequest(entity: "Product", sort: [SortKey(.keyPath("title"))])
    try await expect(["Assam", "Gyokuro", "Sencha"], of: request, in: store)
    request.predicate = try matching("price > 20")
    try await expect(["Gyokuro"], of: request, in: store)
    let unknown = try await failure {
      _ = try await store.fetch(StoreFetchRequest(entity: "Produkt"))
    }
    #expect(unknown?.reason == .invalidRequest)
    #expect(unknown?.diagnostics.first?.help == ["did you mean 'Product'?"])
  }

  @Test func fromATemplateByName() async throws {
    let store = try await shop()
    let request = try store.model.fetchRequest(fromTemplate: "soldOut")
    try await expect(["Gyokuro", "Assam"], of: request, in: store)
    let unknown = #expect(throws: ModelLookupError.self) {
      try store.model.fetchRequest(fromTemplate: "soldout")
    }
    #expect(unknown?.diagnostics.first?.help.first == "did you mean 'soldOut'?")
  }

  @Test func fromATemplateWithSubstitutionVariables() async throws {
    let store = try await shop()
    let model = store.model
    let japan = try model.fetchRequest(
      fromTemplate: "productsFromCountry", substituting: ["COUNTRY": .string("Japan")])
    try await expect(["Sencha", "Gyokuro"], of: japan, in: store)
    let list = FormatExpression(.list([.value(.string("India")), .value(.string("Peru"))]))
    let several = try model.fetchRequest(
      fromTemplate: "productsInCountries", substituting: ["COUNTRIES": list])
    try await expect(["Assam"], of: several, in: store)
    let range = try model.fetchRequest(
      fromTemplate: "productsInPriceRange",
      substituting: ["LOW": .integer(10), "HIGH": .double(12.5)])
    try await expect(["Sencha"], of: range, in: store)
  }

  @Test func variablesThatAreMissingUnknownOrOfAnotherType() throws {
    let model = ShopModel.model
    let missing = #expect(throws: TemplateArgumentError.self) {
      try model.fetchRequest(fromTemplate: "productsFromCountry")
    }
    #expect(
      missing?.diagnostics.map(\.message) == [
        "'productsFromCountry' requires a value for 'COUNTRY'"
      ])
    let unknown = #expect(throws: TemplateArgumentError.self) {
      try model.fetchRequest(
        fromTemplate: "productsFromCountry", substituting: ["CONTRY": .string("Japan")])
    }
    #expect(unknown?.diagnostics.first?.help.first == "did you mean 'COUNTRY'?")
    #expect(throws: CheckErrors.self) {
      try model.fetchRequest(
        fromTemplate: "productsInPriceRange",
        substituting: ["LOW": .string("cheap"), "HIGH": .integer(5)])
    }
  }

  @Test func dictionariesOfSelectedValues() async throws {
    let store = try await shop()
    let request = StoreFetchRequest(
      entity: "Product",
      result: .values([
        SelectedValue(.keyPath("country"), name: "country"),
        SelectedValue(FormatExpression(.function(.sum, [.keyPath("price")])), name: "total"),
      ]), groupBy: [.keyPath("country")])
    #expect(
      try await store.fetch(request, returning: .dictionaries) == [
        ["country": .string("India"), "total": .integer(0)],
        ["country": .string("Japan"), "total": .double(42.5)],
      ])
  }
}
