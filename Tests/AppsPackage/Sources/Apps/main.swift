import StoreEngine
import TeaModels

let store = try await PersistentStore.openOrCreate("Apps.sqlite", schema: TeaModel.self)
let green = try await store.create(Shelf(name: "Green"))
let sencha = try await store.create(Tea(name: "Sencha", price: 12.5, stock: 20, shelf: green))
try await store.create(Tea(name: "Assam", price: 8.5, stock: 7))
try await printSelections(store)

let editor = Editor(store)
try await editor.rename(sencha, to: "Gyokuro")
try await editor.insert(["Hojicha", "Kukicha"])
try await editor.load()
print(await editor.names)

try await printCodables(store)

try await printReferences(store)

try await printComposites()

let stock = Stock(store)
print(try await stock.raise(sencha), try await stock.insert(1_500))

try await printNouns()
