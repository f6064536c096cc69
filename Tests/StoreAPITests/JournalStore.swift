import Foundation
import StoreEngine
import StoreMigration
import StoreModel
import TestSupport

/// A closed store of the journal's first version, in its own folder.
struct JournalStore {
  let folder: TemporaryFolder
  let path: String

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path("Journal.sqlite")
    let store = try await PersistentStore.create(path, schema: JournalV1.self)
    try await store.batchInsert([
      JournalV1.Entry(day: "2024-05-01", mood: "calm", place: "Kyoto", text: "Rain.", title: "One"),
      JournalV1.Entry(day: "2024-05-02", place: "Kyoto", text: "Sun.", title: "Two", words: 1),
      JournalV1.Entry(day: "2024-05-03", place: "Nara"),
    ])
    try await store.create(JournalV1.Draft(text: "Later.", title: "Three"))
    try await store.close()
  }

  /// The loss that the third version causes.
  static let mood = AllowedLosses.values(of: JournalV1.Entry.self, \.mood)

  var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) } }

  var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }
  }

  func migrator(
    allowing losses: AllowedLosses = mood, steps: [CustomStep] = []
  ) -> StoreMigrator {
    StoreMigrator(
      path, to: JournalModel.self,
      settings: MigrationSettings(backup: .none, allowedLosses: losses), steps: steps)
  }
}

/// Runs work that must fail, and returns its error.
func migrationError(_ work: () async throws -> Void) async throws -> MigrationError? {
  do {
    try await work()
    return nil
  } catch let failure as MigrationError {
    return failure
  }
}
