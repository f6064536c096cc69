import Foundation
import StoreComparison
import StoreDiagnostics
import StoreEngine
import StoreVerification

/// The code of the page "Requests". `FirstStepsTests` runs it and compares it with the page.
func takeRequests(_ store: PersistentStore) async throws {
  let soldOut = Product.all.where(\.amount == 0)
  let cheapest = Product.all.where(\.country == "Japan" && \.price < 20)
    .ordered(by: \.price, \.title).limit(10)
  print(try await store.fetch(soldOut.count), try await store.fetch(cheapest).map(\.title))

  let some = Product.all.where(
    (\.price * \.amount > 100 || \.country == nil) && .contains(\.title, "cha", .caseInsensitive))
  let named = Product.all.where(.in(\.title, ["Sencha", "Assam"]))
  let written = Product.all.where(TypedCondition(try FormatPredicate(parsing: "title LIKE 'S*'")))
  print(try await store.fetch(some.ids).count, try await store.fetch(named).count)
  print(try await store.fetch(written.count))

  let countries = Product.all.select(\.country).distinct()
  print(try await store.fetch(countries.count))
  print(try await store.fetch(countries.ordered(by: .descending(\.country)).limit(2)))
  for (country, amount) in try await store.fetch(
    Product.all.grouped(by: \.country).having(\.amount.sum > 5).select(\.country, \.amount.sum))
  {
    print(country ?? "-", amount)
  }
}

/// The code of the page "Writing". `FirstStepsTests` runs it and compares it with the page.
func takeWriting(_ store: PersistentStore) async throws {
  let id = try await store.create(Product(amount: 5, country: "Japan", price: 12, title: "Sencha"))
  try await store.update(id) { $0.price = 14 }
  try await store.update(id) { $0.set(\.amount, to: \.amount - 1) }
  if var sencha = try await store.object(id) {
    sencha.country = nil
    try await store.update(sencha)
  }
  try await store.delete(id)

  let added = try await store.batchInsert(
    (1...1_000).lazy.map { Product(amount: Int32($0), price: 1, title: "Tea \($0)") })
  let raised = try await store.batchUpdate(Product.self) { $0.set(\.price, to: \.price * 1.1) }
    .where(\.amount > 500)
  let removed = try await store.batchDelete(Product.self).where(\.amount <= 500)
  print(added.inserted, raised.changed, removed.deletedCount)
}

/// The code of the page "Testing". `FirstStepsTests` runs it and compares it with the page.
func takeTesting() async throws {
  let store = try await PersistentStore.temporary(schema: ShopModel.self)
  try await store.create(Product(amount: 1, title: "Sencha"))
  print(try await store.fetch(Product.all.count))

  do {
    try await store.create(Product(price: -1, title: "Assam"))
  } catch let error as StoreError {
    print(error.reason, error.issues.map { $0.property ?? "-" })
  }
}

/// The code of the page "Errors". `FirstStepsTests` runs it and compares it with the page.
func takeErrors(_ store: PersistentStore) async throws {
  do {
    try await store.create(Product(price: -1, title: "Assam"))
  } catch let error as StoreError where error.reason == .invalidData {
    for issue in error.issues { print(issue.property ?? "", issue.message) }
  }

  let count = try await store.within(.seconds(5)) { try await store.fetch(Product.all.count) }
  print(count)
}

/// The code of the page of StoreVerification. `FirstStepsTests` runs it and compares it with the page.
func takeVerification(_ store: PersistentStore) async throws {
  let findings = try await store.verify()
  for finding in findings where finding.severity == .error {
    print(finding.code, finding.message, finding.objectIDs)
  }

  let description = try await store.describe()
  for entity in description.entities { print(entity.name, entity.rowCount) }
}

/// The code of the page of StoreVerification about repairs.
func takeRepair(at path: String) async throws {
  let models = [ShopModel.model]
  for finding in try await PersistentStore.verify(path, models: models) {
    print(finding, finding.repairEffect ?? "can't be repaired")
  }
  let planned = try await PersistentStore.repair(path, models: models, dryRun: true)
  if !planned.repaired.isEmpty {
    let result = try await PersistentStore.repair(path, models: models)
    print(result.repaired.count, "repaired,", result.remaining.count, "remaining")
  }
}

/// The code of the page of StoreComparison. `FirstStepsTests` runs it and compares it with the page.
func takeComparison(_ store: PersistentStore, at path: String) async throws {
  let backup = try await PersistentStore.open(path, schema: ShopModel.self, options: .readOnly)
  let summary = try await store.compare(with: backup) { row in
    for property in row.properties {
      print(row.kind, row.objectID, property.property, property.old as Any, property.new as Any)
    }
  }
  print(summary.differences, "rows differ")

  let rules = ComparisonRules(
    entities: ["Product"], ignored: ["price"],
    keys: [EntityKey(entity: "Product", attributes: ["title"])])
  let byTitle = try await store.compare(with: backup, by: rules)
  for entity in byTitle.entities { print(entity.entity, entity.added, entity.removed) }
}
