import Foundation
import StoreEngine
import StoreMigration
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Steps that read values stored in external files.
@Suite(.enabled(if: SQLiteShell.executable != nil))
struct LargeValueStepTests {
  private let folder: TemporaryFolder
  private let path: String
  private let versions: [DataModel]
  private static let old = [UInt8](repeating: 1, count: 200_000)
  private static let new = [UInt8](repeating: 2, count: 300_000)

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path("Album.sqlite")
    func model(_ name: String, _ attributes: [AttributeDescription]) -> DataModel {
      DataModel(
        name: name, entities: [StoreModel.EntityDescription(name: "Photo", attributes: attributes)])
    }
    let image = AttributeDescription(
      name: "image", type: .binary, isOptional: true, allowsExternalStorage: true)
    versions = [
      model("A", [image]),
      model("B", [image, AttributeDescription(name: "size", type: .integer64, isOptional: true)]),
    ]
    try await PersistentStore.create(path, for: versions[0])
    let store = try await PersistentStore.open(path, models: versions)
    try await store.batchInsert([["image": .binary([0])]], into: "Photo")
    try await store.close()
    // Core Data stores a large value in a file whose name is in the row.
    let name = UUID().uuidString
    let values = folder.url.appending(path: ".Album_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: values, withIntermediateDirectories: true)
    try Data(Self.old).write(to: values.appending(path: name))
    let outcome = try BuiltCommand(in: folder.url).run(
      "'\(SQLiteShell.executable ?? "sqlite3")' Album.sqlite",
      input: "UPDATE ZPHOTO SET ZIMAGE = CAST(X'02' || '\(name)' || X'00' AS BLOB);")
    #expect(outcome.errors == "")
  }

  private var migrator: StoreMigrator {
    let step = CustomStep(from: "A", to: "B") { step in
      let photos = try step.old.fetch(StoreFetchRequest(entity: "Photo"))
      guard case .binary(let image)? = photos.first?["image"] else { return }
      try step.new.batchUpdate(
        BatchUpdate(
          entity: "Photo", values: [.init("size", .value(.integer(Int64(image.count))))]))
      try step.new.batchInsert([["image": .binary(Self.new)]], into: "Photo")
    }
    return StoreMigrator(
      path, versions: ModelVersions(versions), settings: MigrationSettings(backup: .none),
      steps: [step])
  }

  private var files: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    }
  }

  @Test func aDryRunHasThemAndLeavesNothing() async throws {
    let before = try files
    #expect(before.count == 4)
    #expect(try await migrator.dryRun() != nil)
    #expect(try await migrator.plan()?.isRefused == false)
    #expect(try files == before)
  }

  @Test func aRunHasThem() async throws {
    #expect(try await migrator.run() != nil)
    let store = try await PersistentStore.open(path, models: versions)
    let photos = try await store.fetch(StoreFetchRequest(entity: "Photo"))
    #expect(photos.map { $0["image"] } == [.binary(Self.old), .binary(Self.new)])
    #expect(photos.map { $0["size"] } == [.integer(Int64(Self.old.count)), .null])
    try await store.close()
    #expect(try files.count == 4)
  }
}
