import Foundation
import StoreDiagnostics
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

@Suite(.enabled(if: SQLiteShell.executable != nil))
struct TypedFetchTests {
  private static let products = [
    Product(amount: 5, country: "Japan", price: 12.5, title: "Sencha"),
    Product(amount: 0, country: "Japan", price: 30, title: "Gyokuro"),
    Product(amount: 7, country: "India", price: 8.25, title: "Assam"),
    Product(amount: 2, country: nil, price: nil, title: "Mystery"),
  ]

  private func shop() async throws -> SampleStore {
    let sample = try await SampleStore("Shop")
    try await sample.store.batchInsert(
      Self.products.map(\.propertyValues), into: Product.entityName)
    return sample
  }

  @Test func rowsAreStructs() async throws {
    let sample = try await shop()
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    let all = try await store.fetch(Product.all)
    #expect(all.map(\.value) == Self.products)
    #expect(all.map(\.id.objectID.primaryKey) == [1, 2, 3, 4])
    let dear = Product.all.where(\.price > 10).ordered(by: .descending(\.price))
    #expect(try await store.fetch(dear).map(\.title) == ["Gyokuro", "Sencha"])
    #expect(try await store.first(dear)?.title == "Gyokuro")
    #expect(try await store.first(dear.offset(1))?.title == "Sencha")
    #expect(try await store.first(dear.limit(0)) == nil)
    #expect(try await store.first(Product.all.where(\.title == "Coffee")) == nil)
  }

  @Test func oneRowByItsID() async throws {
    let sample = try await shop()
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    let ids = try await store.fetch(Product.all.where(\.country == "Japan").ids)
    #expect(ids.map(\.objectID.primaryKey) == [1, 2])
    #expect(try await store.object(ids[1])?.value == Self.products[1])
    let japanese = Product.all.where(.id(in: ids)).ordered(by: \.title)
    #expect(try await store.fetch(japanese).map(\.title) == ["Gyokuro", "Sencha"])
    let dear = Product.all.where(.id(is: ids[1]) && \.price > 20)
    #expect(try await store.fetch(dear).map(\.title) == ["Gyokuro"])
    #expect(try await store.fetch(Product.all.where(!.id(in: ids)).count) == 2)
    #expect(try await store.exists(Product.all.where(.id(in: []))) == false)
    try await store.batchDelete(BatchDelete(entity: "Product"))
    #expect(try await store.object(ids[1]) == nil)
  }

  @Test func countsSelectionsAndDistinctValues() async throws {
    let sample = try await shop()
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    #expect(try await store.fetch(Product.all.count) == 4)
    #expect(try await store.fetch(Product.all.where(\.country == nil).count) == 1)
    let pairs = try await store.fetch(Product.all.select(\.title, \.country))
    #expect(pairs.map(\.0) == Self.products.map(\.title))
    #expect(pairs.map(\.1) == ["Japan", "Japan", "India", nil])
    let countries = try await store.fetch(Product.all.select(\.country).distinct())
    #expect(countries == [nil, "India", "Japan"])
  }

  @Test func aggregatesOfAllRows() async throws {
    let sample = try await shop()
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    let folded = try await store.fetch(
      Product.all.select(
        \.price.sum, \.price.average, \.amount.sum, \.price.min, \.title.max, \.country.count))
    let row = try #require(folded.first)
    #expect(folded.count == 1)
    #expect(row == (50.75, 50.75 / 3, 14, 8.25, "Sencha", 3))
    let statistics = try await store.fetch(
      Product.all.select(\.amount.median, \.amount.stddev, \.amount.sum))
    let statistic = try #require(statistics.first)
    #expect(statistics.count == 1)
    #expect(statistic == (3.5, 7.25.squareRoot(), 14))
    let nothing = try await store.fetch(
      Product.all.where(\.amount > 100).select(\.price.sum, \.price.average, \.price.min))
    let none = try #require(nothing.first)
    #expect(none == (0, nil, nil))
  }

  @Test func foldsDecimalsExactly() async throws {
    let sample = try await SampleStore("Shop")
    defer { withExtendedLifetime(sample) {} }
    let prices = ["100.1", "100.1", "100.1", "0.3"].map { Decimal(string: $0) }
    try await sample.store.batchInsert(
      prices.map { Product(amount: 1, country: nil, price: $0, title: "Tea") })
    let dear = Product.all.where(\.price > 1).select(\.price.sum, \.price.average, \.price.median)
    let row = try #require(try await sample.store.fetch(dear).first)
    #expect(row == (Decimal(string: "300.3"), 100.1, 100.1))
    let all = Product.all.grouped(by: \.title).having(\.price.sum == 300.6)
      .select(\.price.sum, \.price.median)
    #expect(try await sample.store.fetch(all).map(\.1) == [100.1])
  }

  @Test func predicateText() async throws {
    let sample = try await shop()
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    let query = Product.all.where(
      TypedCondition(try FormatPredicate(parsing: "title BEGINSWITH[c] 's'")))
    #expect(try await store.fetch(query).map(\.title) == ["Sencha"])
    let wrong = try await failure {
      _ = try await store.fetch(
        Product.all.where(TypedCondition(try FormatPredicate(parsing: "tilte == 'x'"))))
    }
    #expect(wrong?.reason == .invalidRequest)
    #expect(wrong?.diagnostics.first?.help == ["did you mean 'title'?"])
    #expect(throws: StorePredicate.PredicateSyntaxError.self) {
      try FormatPredicate(parsing: "title ==")
    }
  }

  @Test func subentitiesReadAsTheirParent() async throws {
    let sample = try await SampleStore("Company")
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    try await store.batchInsert([["name": .string("Tea")]], into: "Department")
    let tea = try #require(try await store.first(Department.all)).id
    try await store.batchInsert(
      [Employee(age: 30, name: "Ada", department: tea).propertyValues], into: "Employee")
    try await store.batchInsert(
      [["name": .string("Grace"), "department": .objectID(tea.objectID)]], into: "Manager")
    let all = try await store.fetch(Employee.all.ordered(by: \.name))
    #expect(all.map(\.name) == ["Ada", "Grace"])
    #expect(all.map(\.id.objectID.entity) == ["Employee", "Manager"])
    #expect(all.map(\.department) == [tea, tea])
    #expect(
      try await store.fetch(Employee.all.withoutSubentities()).map(\.name) == ["Ada"])
    #expect(try await store.object(all[1].id) == all[1])
  }

  @Test func nullInWhatTheModelRequires() async throws {
    let sample = try await shop()
    _ = try sample.rows("UPDATE ZPRODUCT SET ZTITLE = NULL WHERE Z_PK = 3")
    let missing = try await failure { _ = try await sample.store.fetch(Product.all) }
    #expect(missing?.reason == .invalidData)
    #expect(
      missing?.description == """
        error: row 3 of 'Product' has no value for 'title', which the model requires [row.missing-value]
          help: set a value: update 'title' of the row x-coredata:///Product/p3
          help: or make 'title' optional in the model
        """)
  }

  /// Rows are read in batches of several hundred, and the wrong row isn't in the first one.
  @Test func aWrongRowAmongMany() async throws {
    let sample = try await SampleStore.items(4_000)
    defer { withExtendedLifetime(sample) {} }
    let store = sample.store
    #expect(
      try await store.fetch(Item.all).map(\.id.objectID.primaryKey) == Array(1...4_000))
    _ = try sample.rows("UPDATE ZITEM SET ZNAME = NULL WHERE Z_PK = 3777")
    let wrong = try await failure { _ = try await store.fetch(Item.all) }
    #expect(wrong?.reason == .invalidData)
    #expect(
      wrong?.diagnostics.map(\.message) == [
        "row 3777 of 'Item' has no value for 'name', which the model requires"
      ])
    #expect(try await store.fetch(Item.all.where(\.priority == 3)).count == 800)
  }

  @Test func aValueOfAnotherType() async throws {
    let sample = try await shop()
    _ = try sample.rows("UPDATE ZPRODUCT SET ZAMOUNT = 'some' WHERE Z_PK = 2")
    let wrong = try await failure { _ = try await sample.store.fetch(Product.all) }
    #expect(
      wrong?.diagnostics.map(\.message) == [
        "'amount' of row 2 of 'Product' is 'some', which isn't a whole number"
      ])
    let selected = try await failure {
      _ = try await sample.store.fetch(Product.all.select(\.title, \.amount))
    }
    #expect(
      selected?.diagnostics.map(\.message) == [
        "'amount' of row 2 of the result for 'Product' is 'some', which isn't a whole number"
      ])
    _ = try sample.rows("UPDATE ZPRODUCT SET ZAMOUNT = 3000000000 WHERE Z_PK = 2")
    let large = try await failure { _ = try await sample.store.fetch(Product.all) }
    #expect(
      large?.diagnostics.map(\.message) == [
        "'amount' of row 2 of 'Product' is 3000000000, which isn't an Int32"
      ])
  }

  @Test func schemasOpenTheirStores() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Shop.sqlite")
    let created = try await PersistentStore.create(path, schema: ShopModel.self)
    #expect(created.model == ShopModel.model)
    try await created.close()
    let store = try await PersistentStore.open(
      path, schemas: [CompanyModel.self, ShopModel.self])
    #expect(store.model == ShopModel.model)
    #expect(try await store.fetch(Product.all.count) == 0)
    let other = try await failure {
      _ = try await PersistentStore.open(path, schema: CompanyModel.self)
    }
    #expect(other?.reason == .unknownVersion)
    let unknown = try await failure { _ = try await store.fetch(Item.all) }
    #expect(unknown?.reason == .invalidRequest)
  }
}
