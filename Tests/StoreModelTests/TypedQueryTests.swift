import StoreModel
import StorePredicate
import Testing

struct TypedQueryTests {
  private func text(_ query: TypedQuery<Product>) -> String {
    query.base.predicate?.description ?? ""
  }

  @Test func comparisonsReadAsTheyAreWritten() {
    let cases: [(TypedQuery<Product>, String)] = [
      (Product.all.where(\.price > 10), "price > 10.0"),
      (Product.all.where(\.title == "Tea"), #"title == "Tea""#),
      (Product.all.where(\.note == nil), "note == nil"),
      (Product.all.where(\.note != "x" && \.amount <= 3), #"note != "x" AND amount <= 3"#),
      (
        Product.all.where(!(\.amount == 3 || \.price < \.limit)),
        "NOT (amount == 3 OR price < limit)"
      ),
      (Product.all.where(\.shelf.name == "Top"), #"shelf.name == "Top""#),
      (Product.all.where(\.shelf.products.count > 3), "shelf.products.@count > 3"),
      (Product.all.where(\.shelf == nil), "shelf == nil"),
      (Product.all.where(\.price * \.amount >= 100.5), "price * amount >= 100.5"),
      (Product.all.where(\.price * 2 >= 100), "price * 2.0 >= 100.0"),
      (Product.all.where(.contains(\.title, "te", .caseInsensitive)), #"title CONTAINS[c] "te""#),
      (Product.all.where(.in(\.amount, [1, 2])), "amount IN {1, 2}"),
      (Product.all.where(.between(\.amount, 1...5)), "amount BETWEEN {1, 5}"),
      (Product.all.where(\.amount > 1).where(\.amount < 5), "amount > 1 AND amount < 5"),
    ]
    for (query, expected) in cases { #expect(text(query) == expected) }
  }

  @Test func membersOfAToMany() {
    let any = Shelf.all.where(\.products.any.price > 10)
    #expect(any.base.predicate?.description == "ANY products.price > 10.0")
    let all = Shelf.all.where(\.products.all.title != "Tea")
    #expect(all.base.predicate?.description == #"ALL products.title != "Tea""#)
    let sum = Shelf.all.where(\.products.price.sum > 10)
    #expect(sum.base.predicate?.description == "products.@sum.price > 10.0")
  }

  @Test func ordersAndLimits() {
    let query = Product.all.ordered(by: \.title, .descending(\.price)).limit(10).offset(5)
    #expect(
      query.base
        == StoreFetchRequest(
          entity: "Product",
          sort: [
            SortKey(.keyPath("title")), SortKey(.keyPath("price"), isAscending: false),
          ], limit: 10, offset: 5))
  }

  @Test func plainKeyPathsMeanAscending() {
    func keys(_ query: TypedQuery<Product>) -> [String] {
      query.base.sort.map { "\($0.isAscending ? "" : "-")\($0.expression)" }
    }
    #expect(keys(Product.all.ordered(by: \.title, \.price)) == ["title", "price"])
    #expect(
      keys(Product.all.ordered(by: \.shelf.name, \.title, \.price)) == [
        "shelf.name", "title", "price",
      ])
    #expect(
      keys(Product.all.ordered(by: \.shelf.name, \.title, .descending(\.price)))
        == ["shelf.name", "title", "-price"])
    #expect(keys(Product.all.ordered(by: .descending(\.price), \.title)) == ["-price", "title"])
  }

  @Test func selectionsAndGroups() {
    let prices = Product.all.select(\.title, \.shelf.name).distinct()
    #expect(
      prices.request
        == StoreFetchRequest(
          entity: "Product",
          result: .values([
            SelectedValue(.keyPath("title"), name: "1"),
            SelectedValue(.keyPath("shelf", "name"), name: "2"),
          ]), isDistinct: true))
    let groups = Product.all.grouped(by: \.shelf.name).having(\.price.sum > 10)
      .select(\.shelf.name, \.price.sum, \.amount.average, \.title.count)
    #expect(groups.request.groupBy == [.keyPath("shelf", "name")])
    #expect(groups.request.having?.description == "sum:(price) > 10.0")
    let types: (String?, Double, Double?, Int).Type = type(of: groups).Row.self
    #expect(types == (String?, Double, Double?, Int).self)
  }

  @Test func changes() {
    var changes = Changes<Product>()
    changes.amount = 3
    changes.note = nil
    changes.shelf = TypedObjectID(ObjectID(store: nil, entity: "Shelf", primaryKey: 1))
    changes.set(\.price, to: \.price * 2)
    changes.set(\.amount, to: \.amount + 1)
    let texts = changes.assignments.map { "\($0.property) = \($0.value)" }
    #expect(
      texts == [
        "note = nil", #"shelf = CAST("x-coredata:///Shelf/p1", "NSManagedObjectID")"#,
        "price = price * 2.0",
        "amount = amount + 1",
      ])
  }

  @Test func idsOfOtherEntitiesAreNone() {
    #expect(Product.ID(ObjectID(store: nil, entity: "Shelf", primaryKey: 1)) == nil)
    let id = Product.ID(ObjectID(store: nil, entity: "Product", primaryKey: 1))
    #expect(id?.description == "x-coredata:///Product/p1")
  }
}

/// Code in the form that `storetool generate` writes.
struct Product: StoredObject {
  var amount: Int32
  var limit: Double?
  var note: String?
  var price: Double
  var title: String
  var shelf: Shelf.ID?

  init(
    amount: Int32 = 0, limit: Double? = nil, note: String? = nil, price: Double = 0,
    title: String, shelf: Shelf.ID? = nil
  ) {
    self.amount = amount
    self.limit = limit
    self.note = note
    self.price = price
    self.title = title
    self.shelf = shelf
  }

  struct Properties: ObjectProperties {
    typealias Owner = Product
    var amount: AttributePath<Product, Int32> { AttributePath("amount") }
    var limit: AttributePath<Product, Double?> { AttributePath("limit") }
    var note: AttributePath<Product, String?> { AttributePath("note") }
    var price: AttributePath<Product, Double> { AttributePath("price") }
    var title: AttributePath<Product, String> { AttributePath("title") }
    var shelf: ToOnePath<Product, Shelf> { ToOnePath("shelf") }
  }

  static let entityName = "Product"
  static let entityNames: Set<String> = ["Product"]
  static let propertyNames = ["amount", "limit", "note", "price", "title", "shelf"]

  init(row: inout some RowReader) throws {
    amount = try row.read()
    limit = try row.read()
    note = try row.read()
    price = try row.read()
    title = try row.read()
    shelf = try row.read()
  }

  var propertyValues: [String: DataValue] {
    [
      "amount": amount.storeValue, "limit": limit.storeValue, "note": note.storeValue,
      "price": price.storeValue, "title": title.storeValue, "shelf": shelf.storeValue,
    ]
  }
}

struct Shelf: StoredObject {
  var name: String

  struct Properties: ObjectProperties {
    typealias Owner = Shelf
    var name: AttributePath<Shelf, String> { AttributePath("name") }
    var products: ToManyPath<Shelf, Product> { ToManyPath("products") }
  }

  static let entityName = "Shelf"
  static let entityNames: Set<String> = ["Shelf"]
  static let propertyNames = ["name"]

  init(row: inout some RowReader) throws {
    name = try row.read()
  }

  var propertyValues: [String: DataValue] { ["name": name.storeValue] }
}
