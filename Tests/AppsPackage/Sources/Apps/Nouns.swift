import NounModels
import StoreEngine

/// Uses entities with common nouns as names, such as `Value`. A public module declares their types.
func printNouns() async throws {
  let store = try await PersistentStore.temporary(schema: NounsModel.self)
  let order = try await store.create(Order(name: "First"))
  try await store.create([
    Value(name: "Sencha", order: order), Value(name: "Assam", order: order),
  ])
  try await store.create([Model(name: "Camellia"), Model(name: "Assamica")])
  try await store.create(Entity(name: "Company"))
  try await store.create(Query(name: "All"))

  let values = Value.all.where(\.order.name == "First").ordered(by: \.name)
  print(try await store.fetch(values).map(\.name))
  print(try await store.first(Entity.all)?.name ?? "none")
  for try await batch in store.stream(Model.all.ordered(by: \.name), batchSize: 1) {
    print(batch.map(\.name))
  }
  print(try await store.read { snapshot in try snapshot.fetch(Query.all.select(\.name)) })
  let attributes = try await store.transaction { transaction in
    let id = try transaction.create(Attribute(name: "price"))
    return try transaction.fetch(Attribute.all.where(.id(is: id)).count)
  }
  print(attributes)
  let orders = Value.all.grouped(by: \.order.name).select(\.order.name, \.name.count)
  for (order, count) in try await store.fetch(orders) { print(order ?? "none", count) }
  print(try await store.fetch(Templates.valuesOfOrder(name: "First").count))
  print(try await store.fetch(Condition.all.count), try await store.fetch(Index.all.count))
}
