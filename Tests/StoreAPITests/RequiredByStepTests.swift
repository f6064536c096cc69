import Foundation
import StoreDiagnostics
import StoreEngine
import StoreMigration
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Values that a new version requires and only a custom step can provide.
struct RequiredByStepTests {
  private let folder: TemporaryFolder
  private let path: String
  private let versions: [DataModel]

  init() async throws {
    folder = try TemporaryFolder()
    path = folder.path("Shop.sqlite")
    let name = AttributeDescription(name: "name", type: .string, isOptional: false)
    let slug = AttributeDescription(name: "slug", type: .string, isOptional: false)
    let shelf = RelationshipDescription(
      name: "shelf", destination: "Shelf", inverse: "items", isOptional: false, maximumCount: 1)
    let items = RelationshipDescription(
      name: "items", destination: "Item", inverse: "shelf", cardinality: .toMany(ordered: false),
      isOptional: true)
    versions = [
      DataModel(
        name: "A",
        entities: [
          StoreModel.EntityDescription(name: "Item", attributes: [name]),
          StoreModel.EntityDescription(name: "Part", attributes: [name]),
        ]),
      // Parts become items with new keys.
      DataModel(
        name: "B",
        entities: [
          StoreModel.EntityDescription(
            name: "Item", attributes: [name, slug], relationships: [shelf]),
          StoreModel.EntityDescription(name: "Shelf", attributes: [name], relationships: [items]),
        ]),
    ]
    try await PersistentStore.create(path, for: versions[0])
    let store = try await PersistentStore.open(path, models: versions)
    try await store.batchInsert([["name": .string("Cup")], ["name": .string("Pot")]], into: "Item")
    try await store.batchInsert([["name": .string("Lid")]], into: "Part")
    try await store.close()
  }

  private func migrator(_ steps: [CustomStep]) -> StoreMigrator {
    let merging = MigrationDefinition(
      from: "A", to: "B",
      entities: [EntityDefinition("Item", from: "Item"), EntityDefinition("Item", from: "Part")])
    return StoreMigrator(
      path, versions: ModelVersions(versions, migrations: [merging]),
      settings: MigrationSettings(backup: .none), steps: steps)
  }

  @Test func aStepGivesThem() async throws {
    let step = CustomStep(from: "A", to: "B") { step in
      _ = try step.new.batchInsert([["name": .string("Top")]], into: "Shelf")
      try step.new.batchUpdate(
        BatchUpdate(
          entity: "Item",
          values: [
            .init("slug", try FormatExpression(parsing: "lowercase:(name)")),
            .init("shelf", .value(.objectID(ObjectID(store: nil, entity: "Shelf", primaryKey: 1)))),
          ]))
    }
    #expect(try await migrator([step]).run() != nil)
    let store = try await PersistentStore.open(path, models: versions)
    let slugs = try await store.fetch(
      StoreFetchRequest(
        entity: "Item", predicate: try FormatPredicate(parsing: "shelf.name == 'Top'"),
        sort: [SortKey(try FormatExpression(parsing: "slug"))]))
    #expect(slugs.map { $0["slug"] } == [.string("cup"), .string("lid"), .string("pot")])
    try await store.close()
  }

  @Test func withoutTheStepTheyAreMissing() async throws {
    let failure = try await migrationError { try await migrator([]).run() }
    #expect(failure?.reason == .refusedRows)
  }

  @Test func aStepThatForgetsSomeIsRefused() async throws {
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let step = CustomStep(from: "A", to: "B") { step in
      _ = try step.new.batchInsert([["name": .string("Top")]], into: "Shelf")
      try step.new.batchUpdate(
        BatchUpdate(
          entity: "Item",
          values: [
            .init("slug", .value(.string("x"))),
            .init("shelf", .value(.objectID(ObjectID(store: nil, entity: "Shelf", primaryKey: 1)))),
          ], predicate: try FormatPredicate(parsing: "name != 'Lid'")))
    }
    let failure = try await migrationError { try await migrator([step]).run() }
    #expect(failure?.reason == .refusedRows)
    #expect(
      Set(failure?.diagnostics.map(\.code) ?? [])
        == ["migrate.missing-value", "migrate.missing-destination"])
    #expect(failure?.description.contains("/Item/p3") == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }
}
