import StoreEngine
import TeaModels

/// Passes rows, rows with relationships, IDs and optional IDs to functions that require a row.
func printReferences(_ store: PersistentStore) async throws {
  let shelf = Shelf.all.where(\.name == "Green")
  let teas = try await store.fetch(Tea.all.ordered(by: \.name))
  guard let green = try await store.first(shelf), let tea = teas.first,
    let included = try await store.first(shelf.including(\.teas))
  else { return }

  print(try await store.object(tea)?.name ?? "none", try await store.object(tea.id)?.name ?? "none")
  print(try await store.object(tea.shelf)?.name ?? "none")
  print(try await store.object(included)?.name ?? "none")
  print(try await store.update(tea) { $0.set(\.shelf, to: green) })
  print(try await store.update(included) { $0.name = "Grün" })
  print(try await store.fetch(Tea.all.where(.id(is: tea) || .id(in: teas)).count))
  print(try await store.add(tea, to: \.teas, of: included))
  print(try await store.add(teas, to: \.teas, of: green))
  print(try await store.remove(tea, from: \.teas, of: green))
  print(try await store.remove(teas.map(\.id), from: \.teas, of: green.id))
  print(try await store.setMembers(\.teas, of: green, to: teas))
  print(try await store.setMembers(\.teas, of: green.id, to: []))
  let counts = try await store.read { snapshot in
    (try snapshot.object(tea)?.stock ?? 0, try snapshot.object(tea.shelf) == nil)
  }
  print(counts)
  try await store.transaction { transaction in
    print(try transaction.update(tea) { $0.set(\.shelf, to: included) })
    print(try transaction.add(teas, to: \.teas, of: included))
    print(try transaction.remove(tea, from: \.teas, of: green))
    print(try transaction.setMembers(\.teas, of: green, to: []))
    print(try transaction.delete(tea).deletedCount)
  }
  print(try await store.delete(included).deletedCount)
}
