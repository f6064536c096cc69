import Foundation
import StoreEngine
import StoreModel

/// The code of the page "Relationships". `FirstStepsTests` runs it and compares it with the page.
func takeRelationshipSteps(at path: String) async throws -> [String] {
  var printed: [String] = []
  func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

  let store = try await PersistentStore.create(path, schema: MarketModel.self)
  let ann = try await store.create(Customer(city: "Bonn", name: "Ann"))
  let tea = try await store.create(Article(price: 12, stock: 20, title: "tea"))
  let pot = try await store.create(Article(price: 30, stock: 1, title: "pot"))
  let order = try await store.create(Order(number: 1, region: "north", customer: ann))
  let lines = try await store.create([
    Line(amount: 2, order: order, product: tea), Line(amount: 1, order: order, product: pot),
  ])

  let orders = try await store.fetch(
    Order.all.where(\.region == "north").including(\.customer, \.lines, \.lines.product))
  for order in orders {
    print(order.number, try order[\.customer]?.name ?? "nobody")
    for line in try order[\.lines] {
      print(line.amount, try line[\.product]?.title ?? "nothing")
    }
  }

  let large = order.members(of: \.lines).where(\.amount > 1).ordered(by: \.product.title).limit(10)
  let (count, first) = try await store.read { snapshot in
    (try snapshot.fetch(large.count), try snapshot.first(order.members(of: \.lines)))
  }
  print(count, first?.amount ?? 0)

  try await store.move([lines[1]], in: \.lines, of: order, to: 0)
  try await store.transaction { transaction in
    let hot = try transaction.create(Tag(word: "hot"))
    let new = try transaction.create(Tag(word: "new"))
    try transaction.add([hot, new], to: \.tags, of: tea)
    try transaction.add(new, to: \.tags, of: pot, at: 0)
    try transaction.remove(hot, from: \.tags, of: tea)
    try transaction.setMembers(\.products, of: new, to: [pot, tea])
  }

  let found = try await store.find(Order.self, by: \.region == "north" && \.number == 1)
  let isSoldOut = try await store.exists(Article.all.where(\.stock == 0))
  let worth = try await store.fetch(
    Article.all.ordered(by: .descending(\.price * \.stock)).select(\.title, \.price * \.stock))
  for (title, worth) in worth { print(title, worth ?? 0) }
  print(found?.id == order, isSoldOut)
  return printed
}
