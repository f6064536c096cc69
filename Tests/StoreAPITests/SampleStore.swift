import Foundation
import StoreEngine
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport

/// An open store of one of the sample models, in its own folder.
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

  /// Creates a store with `count` to-do items, of which every second one is done.
  static func items(_ count: Int) async throws -> SampleStore {
    let sample = try await SampleStore("Todo")
    let outcome = try await sample.store.batchInsert(
      (0..<count).lazy.map { index -> [String: DataValue] in
        [
          "name": .string("item \(index)"), "priority": .integer(Int64(index % 5)),
          "done": .boolean(index.isMultiple(of: 2)),
        ]
      }, into: "Item")
    precondition(outcome.inserted == count)
    return sample
  }

  /// Returns the output of the sqlite3 shell, which is another process, for a statement.
  func rows(_ sql: String) throws -> [String] {
    let outcome = try BuiltCommand(in: folder.url).run(
      "'\(SQLiteShell.executable ?? "sqlite3")' '\(path)'", input: sql)
    return (outcome.errors + outcome.output).split(separator: "\n").map(String.init)
  }

  /// Returns all rows of all tables, and the schema.
  func content() throws -> String {
    try rows(".dump").joined(separator: "\n")
  }
}

/// Parses a predicate that is valid.
func matching(_ text: String) throws -> FormatPredicate {
  try FormatPredicate(parsing: text)
}

/// Returns all elements of a finite sequence.
func all<Elements: AsyncSequence>(_ elements: Elements) async throws -> [Elements.Element] {
  var all: [Elements.Element] = []
  for try await element in elements { all.append(element) }
  return all
}

/// Runs work that must fail, and returns its error.
func failure(_ work: () async throws -> Void) async throws -> StoreError? {
  do {
    try await work()
    return nil
  } catch let failure as StoreError {
    return failure
  }
}
