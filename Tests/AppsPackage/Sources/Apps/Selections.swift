import StoreEngine
import TeaModels

/// Reads tuples in each way in which a store returns rows.
func printSelections(_ store: PersistentStore) async throws {
  let pairs = Tea.all.ordered(by: \.name).select(\.name, \.stock)
  let groups = Tea.all.grouped(by: \.shelf.name).select(\.shelf.name, \.stock.sum)

  for (name, stock) in try await store.fetch(pairs) { print(name, stock) }
  // swift-format-ignore: NeverForceUnwrap
  let (name, stock) = try await store.fetch(pairs).first!
  print(name, stock)
  let stocks = Dictionary(uniqueKeysWithValues: try await store.fetch(pairs))
  print(stocks["Assam"] ?? 0)
  print(try await store.fetch(pairs).map { name, stock in "\(name) \(stock)" })
  if let (name, stock) = try await store.first(pairs) { print(name, stock) }
  for (shelf, sum) in try await store.fetch(groups) { print(shelf ?? "none", sum) }
  if let (shelf, sum) = try await store.first(groups) { print(shelf ?? "none", sum) }
  for try await batch in store.stream(pairs) {
    for (name, stock) in batch { print(name, stock) }
    if let (name, stock) = batch.first { print(name, stock) }
    print(Dictionary(uniqueKeysWithValues: batch).count)
  }
  for try await batch in store.stream(groups) {
    for (shelf, sum) in batch { print(shelf ?? "none", sum) }
  }

  let total = try await store.read { snapshot in
    var total = 0
    for (_, stock) in try snapshot.fetch(pairs) { total += Int(stock) }
    if let (_, stock) = try snapshot.first(pairs) { total += Int(stock) }
    for (_, sum) in try snapshot.fetch(groups) { total += Int(sum) }
    if let (_, stock) = try snapshot.fetch(pairs).last { total += Int(stock) }
    return total
  }
  print(total)

  let sum = try await store.transaction { transaction in
    var total = 0
    for (_, stock) in try transaction.fetch(pairs) { total += Int(stock) }
    if let (_, sum) = try transaction.first(groups) { total += Int(sum) }
    return total
  }
  print(sum)

  // The type of these arguments is `Any`.
  print(try await store.first(Tea.all.ordered(by: \.name).select(\.name)) == "Assam")
  print(try await store.first(Tea.all.select(\.stock.sum)) ?? 0)
  print(try await store.fetch(Tea.all.select(\.name, \.stock, \.shelf.name)).count)
  print(try await store.fetch(Tea.all.grouped(by: \.shelf.name).select(\.stock.sum)).count)
  print(try await store.read { try $0.fetch(Tea.all.select(\.name, \.stock)).count })
  print(try await store.transaction { try $0.first(Tea.all.select(\.name, \.stock))?.1 ?? 0 })
}
