import StoreEngine
import StoreModel
import StoreModelReader
import StorePredicate

/// The README's example; `ReadmeExampleTests` runs it and compares the text.
func finishUrgentItems(in path: String, ofModelAt modelPath: String) async throws -> [ObjectID] {
  let versions = try ModelBundle(at: modelPath).versions
  let store = try await PersistentStore.open(
    path, models: versions.map { try $0.read().model })

  try await store.batchInsert(
    (1...1_000).map { ["name": .string("Item \($0)"), "priority": .integer($0 % 5)] },
    into: "Item")

  let update = BatchUpdate(
    entity: "Item", values: [.init("done", .value(.boolean(true)))],
    predicate: try Predicate(parsing: "priority >= 4"))
  let outcome = try await store.batchUpdate(update) { progress in
    print("\(progress.rows) rows")
  }
  print("\(outcome.changed) of \(outcome.matched) changed")

  var deleted: [ObjectID] = []
  let done = BatchDelete(entity: "Item", predicate: try Predicate(parsing: "done == YES"))
  do {
    for try await id in try await store.batchDelete(done, returning: .objectIDs) {
      deleted.append(id)
    }
  } catch let failure as StoreFailure where failure.reason == .deletionDenied {
    print(failure)
  }
  return deleted
}
