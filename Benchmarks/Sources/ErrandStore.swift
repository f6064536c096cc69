import Foundation
import GRDB
import StoreEngine

/// A store with errands in a temporary folder.
struct ErrandStore {
  let folder: URL
  let path: String

  /// Creates the store and closes it, with an empty `-wal`.
  init(_ rows: Int) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("Errands.sqlite").path
    let store = try await PersistentStore.create(path, schema: ErrandsModel.self)
    try await store.batchInsert(
      (1...rows).lazy.map { number -> [String: DataValue] in
        // The order of the names differs from the order of the rows.
        let mixed = UInt32(truncatingIfNeeded: number &* 2_654_435_761)
        return [
          "createdAt": .date(7e8 + Double(number) * 1.25), "done": .boolean(number % 2 == 0),
          "name": .string("buy milk, call \(String(mixed, radix: 36))"),
          "note": number % 3 == 0 ? .null : .string("note \(mixed) for the way"),
          "priority": .integer(Int64(number % 5)),
        ]
      }, into: "Errand")
    try await store.close()
  }

  func open() async throws -> PersistentStore {
    try await PersistentStore.open(path, schema: ErrandsModel.self)
  }

  /// Changes the journal mode. The store must be closed.
  func useRollbackJournal() throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
    try queue.close()
  }

  func remove() throws { try FileManager.default.removeItem(at: folder) }
}
