import Foundation
import StoreEngine

/// The code of the page "First steps". `FirstStepsTests` runs it and compares it with the page.
func takeFirstSteps(at path: String) async throws {
  let store = try await PersistentStore.openOrCreate(path, schema: ShopModel.self)
  try await store.create([
    Product(amount: 20, country: "Japan", price: 12.5, title: "Sencha"),
    Product(amount: 0, country: "China", price: 30, title: "Pu-erh"),
    Product(amount: 7, country: "Japan", price: 8, title: "Bancha"),
  ])

  let japanese = try await store.fetch(
    Product.all.where(\.country == "Japan").ordered(by: .descending(\.price)))
  for product in japanese { print(product.id, product.title) }

  let tea = Templates.productsByTitle(text: "cha").where(\.amount > 0)
  let titles = try await store.fetch(tea.select(\.title))
  print(titles, try await store.fetch(tea.count))

  let countries = try await store.fetch(
    Product.all.grouped(by: \.country).select(\.country, \.amount.sum, \.price.average))
  for (country, amount, price) in countries { print(country ?? "-", amount, price ?? 0) }

  let outcome = try await store.batchUpdate(Product.self) {
    $0.set(\.amount, to: \.amount + 10)
  }.where(\.amount < 10)
  print(outcome.changed, "of", outcome.matched)
  try await store.batchDelete(Product.self).where(\.title == "Bancha")

  if var sencha = try await store.first(Product.all.where(\.title == "Sencha")) {
    sencha.price = 14
    try await store.update(sencha)
  }

  let isSold = try await store.transaction(author: "till") { transaction in
    let stock = Product.all.where(\.title == "Sencha" && \.amount > 0)
    guard let sencha = try transaction.first(stock) else { return false }
    try transaction.update(sencha.id) { $0.set(\.amount, to: \.amount - 1) }
    try transaction.create(Product(price: sencha.price, title: "Sencha, sold"))
    return true
  }
  let (count, cheapest) = try await store.read { snapshot in
    (try snapshot.fetch(Product.all.count), try snapshot.first(Product.all.ordered(by: \.price)))
  }
  print(isSold, count, cheapest?.title ?? "none")

  for try await batch in store.stream(Product.all, batchSize: 1_000) {
    for product in batch { print(product.title) }
  }

  let results = try await store.liveResults(Product.all.ordered(by: \.title))
  let shown = results.list
  try await store.create(Product(price: 5, title: "Assam"))
  for try await change in results.changes(since: shown) {
    print(change.difference.insertions)
    break
  }
}

func shareStore(at path: String) async throws {
  struct SlowRequests: StoreObserver {
    struct Follower: RequestObserver {
      func ended(_ request: RequestEvent) {
        guard request.waited + request.ran > .seconds(1) else { return }
        print(request.request, request.outcome, request.waited, request.ran)
      }
    }

    var followsStatements: Bool { false }

    func begin(_ request: StoreRequest, on path: String) -> (any RequestObserver)? { Follower() }
  }

  let options = PersistentStore.Options(
    lockTimeout: .seconds(10), turnTimeout: .seconds(5), readers: 8, observer: SlowRequests())
  let store = try await PersistentStore.open(path, schema: ShopModel.self, options: options)

  let raised = try await store.within(.seconds(30)) {
    try await store.batchUpdate(Product.self) { $0.set(\.amount, to: \.amount + 1) }
      .where(\.amount < 1_000)
  }
  print(raised.changed)
  try await store.close()
}
