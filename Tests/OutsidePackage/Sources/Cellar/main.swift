import Foundation
import StoreMigration

// The store of an app that was never updated.
if !FileManager.default.fileExists(atPath: "Cellar.sqlite") {
  let old = try await PersistentStore.create("Cellar.sqlite", schema: CellarV1.self)
  try await old.batchInsert([
    CellarV1.Tea(name: "Sencha", origin: "Uji, Japan", price: 12.5),
    CellarV1.Tea(name: "Gyokuro", origin: "Uji, Japan", price: 30),
    CellarV1.Tea(name: "Assam", origin: "Jorhat, India", price: 8.5),
  ])
  try await old.close()
}

/// The text becomes a row that several teas share.
let places = CustomStep(
  from: CellarV4.self, to: CellarV5.self, allowing: .values(of: CellarV4.Tea.self, \.place)
) { step in
  var homes: [String: Place.ID] = [:]
  for tea in try step.old.fetch(CellarV4.Tea.all) {
    guard let id = try step.successor(of: tea.id, as: Tea.self) else { continue }
    if homes[tea.place] == nil {
      let parts = tea.place.components(separatedBy: ", ")
      homes[tea.place] = try step.new.create(Place(country: parts[1], town: parts[0]))
    }
    try step.new.update(id) { $0.home = homes[tea.place] }
  }
}

let store = try await PersistentStore.open(
  "Cellar.sqlite", schema: CellarModel.self, migrating: .automatic(steps: [places]))

let teas = Tea.all.select(\.name, \.stock, \.home.town, \.home.country)
for (name, stock, town, country) in try await store.fetch(teas) {
  print(name, stock, town ?? "?", country ?? "?")
}
try await store.close()
