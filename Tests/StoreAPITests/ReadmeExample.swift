import StoreEngine
import StoreModelReader

/// The example without generated types of `docs/swift.md`. `ReadmeExampleTests` runs it and compares it with the page.
func finishUrgentItems(in path: String, ofModelAt modelPath: String) async throws -> Int {
  let versions = try ModelBundle(at: modelPath).versions
  let store = try await PersistentStore.open(
    path, models: versions.map { try $0.read().model })

  let update = BatchUpdate(
    entity: "Item", values: [.init("done", .value(.boolean(true)))],
    predicate: try FormatPredicate(parsing: "priority >= 4"))
  let outcome = try await store.batchUpdate(update) { progress in
    print("\(progress.rows) rows")
  }
  print("\(outcome.changed) of \(outcome.matched) changed")

  let done = BatchDelete(entity: "Item", predicate: try FormatPredicate(parsing: "done == YES"))
  return try await store.batchDelete(done).deletedCount
}
