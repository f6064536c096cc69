import Foundation
import StoreEngine
import StoreModel
import StoreModelReader
import StoreVerification
import TestSupport
import Testing

/// Compaction of a store that is closed.
@Suite(.enabled(if: SQLiteShell.executable != nil)) struct CompactionAPITests {
  /// Creates a store with free pages and an orphaned file.
  private func sample() async throws -> SampleStore {
    let sample = try await SampleStore.items(3_000)
    try await sample.store.batchDelete(
      BatchDelete(entity: "Item", predicate: try matching("done == YES")))
    let name = "6E1E8F0A-2C5F-4E0C-9B0B-0F6B8F0C7D11"
    try sample.folder.write("value", to: ".Todo_SUPPORT/_EXTERNAL_DATA/\(name)")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -7_200)],
      ofItemAtPath: sample.folder.path(".Todo_SUPPORT/_EXTERNAL_DATA/\(name)"))
    return sample
  }

  @Test func theFileBecomesSmaller() async throws {
    let sample = try await sample()
    try await sample.store.close()
    let rows = try sample.rows("SELECT * FROM ZITEM ORDER BY Z_PK")
    let before = try await PersistentStore.compact(sample.path, dryRun: true)
    #expect(before.freeBytes > 0 && before.bytesAfter == nil && !before.needs.isEmpty)
    let result = try await PersistentStore.compact(sample.path)
    #expect(result.bytesBefore == before.bytesBefore)
    #expect(try #require(result.bytesAfter) <= result.bytesBefore - before.freeBytes)
    #expect(result.removedFiles == [])
    #expect(try sample.rows("SELECT * FROM ZITEM ORDER BY Z_PK") == rows)
    #expect(try sample.rows("PRAGMA integrity_check") == ["ok"])
    let store = try await PersistentStore.open(sample.path, schema: TodoModel.self)
    #expect(try await store.fetch(Item.all.count) == 1_500)
  }

  /// A file is only orphaned for long if neither its content nor its attributes have changed for an hour.
  @Test func filesOfTheModelAreChecked() async throws {
    let sample = try await sample()
    let model = sample.store.model
    try await sample.store.close()
    let result = try await PersistentStore.compact(sample.path, removingOrphansOf: [model])
    #expect(result.youngFiles.count == 1 && result.removedFiles == [])
    let other = try SampleStore.bundle("League").requireCurrentVersion().read().model
    let error = try await failure {
      _ = try await PersistentStore.compact(sample.path, removingOrphansOf: [other])
    }
    #expect(error?.reason == .unknownVersion)
  }

  @Test func anOpenStoreIsLocked() async throws {
    let sample = try await sample()
    let before = try sample.content()
    let error = try await failure { _ = try await PersistentStore.compact(sample.path) }
    #expect(error?.reason == .locked)
    let missing = try await failure {
      _ = try await PersistentStore.compact(sample.folder.path("missing.sqlite"))
    }
    #expect(missing?.reason == .notFound)
    #expect(try sample.content() == before)
    try await sample.store.create(Item(name: "later"))
  }

  @Test func aCancelledCompactionChangesNothing() async throws {
    let sample = try await sample()
    try await sample.store.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: sample.path))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await PersistentStore.compact(sample.path)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try Data(contentsOf: URL(fileURLWithPath: sample.path)) == before)
  }
}
