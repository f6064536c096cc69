import StoreEngine

let store = try await PersistentStore.openOrCreate("Tea.sqlite", schema: TeaModel.self)
let green = try await store.create(Shelf(name: "Green"))
let black = try await store.create(Shelf(name: "Black"))
try await store.batchInsert([
  Tea(name: "Sencha", price: 12.5, stock: 20, shelf: green),
  Tea(name: "Gyokuro", price: 30, shelf: green),
  Tea(name: "Assam", price: 8.5, stock: 7, shelf: black),
])

let found = Tea.all.where(\.price > 10 && \.shelf.name == "Green").ordered(by: .descending(\.price))
for tea in try await store.fetch(found.limit(10)) { print(tea.name, tea.price) }
print(try await store.fetch(Templates.teasOnShelf(name: "Black").select(\.name, \.stock)))

let shelves = Tea.all.grouped(by: \.shelf.name).having(\.stock.sum > 0)
let sums = try await store.fetch(shelves.select(\.shelf.name, \.stock.sum, \.price.average))
for (shelf, stock, price) in sums { print(shelf ?? "none", stock, price ?? 0) }

let update = try await store.batchUpdate(Tea.self) { $0.set(\.stock, to: \.stock + 5) }
  .where(\.stock < 10)
print("\(update.changed) of \(update.matched) changed")

// A list that follows all changes of the store.
let results = try await store.liveResults(Tea.all.ordered(by: \.name), sectionedBy: \.shelf.name)
let shown = results.list
try await store.batchDelete(Tea.self).where(\.price > 20)
for try await change in results.changes(since: shown) {
  print("sections", change.list.sections.map(\.name), "deleted", change.difference.deletions)
  break
}

// All batches are from one state of the store. The loop reads them on demand.
for try await batch in store.stream(Tea.all.ordered(by: \.name), batchSize: 1_000) {
  for tea in batch { print(tea.name, tea.stock) }
}
