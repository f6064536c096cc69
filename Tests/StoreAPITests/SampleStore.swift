import Foundation
import StoreEngine
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport

/// An open store of one of the sample models, in a folder of its own.
final class SampleStore: Sendable {
  let folder: TemporaryFolder
  let path: String
  let store: PersistentStore

  init(_ name: String) async throws {
    folder = try TemporaryFolder()
    path = folder.path("\(name).sqlite")
    let bundle = try Self.bundle(name)
    try await PersistentStore.create(path, for: bundle.requireCurrentVersion().read().model)
    store = try await PersistentStore.open(
      path, models: bundle.versions.map { try $0.read().model })
  }

  static func bundle(_ name: String) throws -> ModelBundle {
    let models = BuiltCommand.repository.appendingPathComponent("Models")
    return try ModelBundle(at: models.appendingPathComponent("\(name).xcdatamodeld").path)
  }

  /// To-do items in large number, with every second one done.
  static func items(_ count: Int) async throws -> SampleStore {
    let sample = try await SampleStore("Todo")
    let outcome = try await sample.store.batchInsert(
      (0..<count).lazy.map { index -> [String: Value] in
        [
          "name": .string("item \(index)"), "priority": .integer(Int64(index % 5)),
          "done": .boolean(index.isMultiple(of: 2)),
        ]
      }, into: "Item")
    precondition(outcome.inserted == count)
    return sample
  }

  /// What the sqlite3 shell, another process, prints for a statement.
  func rows(_ sql: String) throws -> [String] {
    let outcome = try BuiltCommand(in: folder.url).run(
      "'\(SQLiteShell.executable ?? "sqlite3")' '\(path)'", input: sql)
    return (outcome.errors + outcome.output).split(separator: "\n").map(String.init)
  }

  /// Every row of every table, and the schema.
  func content() throws -> String {
    try rows(".dump").joined(separator: "\n")
  }
}

/// A predicate that a test knows to be right.
func matching(_ text: String) throws -> FormatPredicate {
  try FormatPredicate(parsing: text)
}

/// All elements of a sequence that ends.
func all<Elements: AsyncSequence>(_ elements: Elements) async throws -> [Elements.Element] {
  var all: [Elements.Element] = []
  for try await element in elements { all.append(element) }
  return all
}

/// Expects a failure and returns it.
func failure(_ work: () async throws -> Void) async throws -> StoreError? {
  do {
    try await work()
    return nil
  } catch let failure as StoreError {
    return failure
  }
}
