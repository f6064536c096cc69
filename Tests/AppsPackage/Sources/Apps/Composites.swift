import StoreEngine
import TeaModels

/// Uses the elements of composite attributes wherever an attribute can be used.
func printComposites() async throws {
  let store = try await PersistentStore.openOrCreate(
    "Customers.sqlite", schema: CustomersModel.self)
  let mai = try await store.create(Customer(name: "Mai"))
  try await store.create(
    Purchase(number: 1, origin: Purchase.Origin(city: "Uji"), customer: mai))
  let kyoto = Customer.all.where(\.address.city == "Kyoto").ordered(by: \.address.city)
  let mine = Purchase.all.where(\.customer.address.geo.latitude > 30)

  try await store.update(mai) {
    $0.address.city = "Osaka"
    $0.address.geo.latitude = 34.7
  }
  print(try await store.fetch(kyoto).count, try await store.fetch(mine).map(\.number))
  try await store.batchUpdate(Customer.self) { $0.address.city = "Kyoto" }
    .where(\.purchases.any.origin.city == "Uji")
  print(try await store.first(kyoto)?.address.city ?? "none")
  for (city, number) in try await store.fetch(mine.select(\.customer.address.city, \.number)) {
    print(city ?? "none", number)
  }
  for try await batch in store.stream(kyoto.select(\.address.city, \.address.geo.latitude)) {
    for (city, latitude) in batch { print(city ?? "none", latitude ?? 0) }
  }
  let groups = Customer.all.grouped(by: \.address.city).select(
    \.address.city, \.address.geo.latitude.max)
  for (city, latitude) in try await store.fetch(groups) { print(city ?? "none", latitude ?? 0) }
  print(try await store.read { try $0.first(kyoto.select(\.address.city)) == "Kyoto" })
  let changed = try await store.transaction { transaction in
    try transaction.update(mai) { $0.set(\.address, to: Customer.Address(city: "Nara")) }
    return try transaction.fetch(Customer.all.select(\.address.city, \.address.geo.latitude))
  }
  for (city, latitude) in changed { print(city ?? "none", latitude ?? 0) }
  print(try await store.object(mai)?.address.city ?? "none")
}
