import Foundation
import StoreEngine
import TeaModels

/// Encodes rows and decodes them again, as a server and its clients do.
func printCodables(_ store: PersistentStore) async throws {
  let teas = try await store.fetch(Tea.all.ordered(by: \.name))
  let data = try JSONEncoder().encode(teas)
  let decoded = try JSONDecoder().decode([Stored<Tea>].self, from: data)
  print(decoded == teas)
  guard let tea = decoded.first else { return }
  print(try await store.object(tea)?.name ?? "none")
  let ids = try JSONDecoder().decode([Tea.ID].self, from: Data(#"["Tea/p1"]"#.utf8))
  print(try await store.fetch(Tea.all.where(.id(in: ids)).count))
}
