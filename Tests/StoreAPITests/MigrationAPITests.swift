import Foundation
import StoreDiagnostics
import StoreEngine
import StoreMigration
import StoreModel
import StoreModelReader
import StorePredicate
import Synchronization
import TestSupport
import Testing

struct MigrationAPITests {
  @Test func aStoreIsOpenedAndMigrated() async throws {
    let journal = try await JournalStore()
    let store = try await PersistentStore.open(
      journal.path, schema: JournalModel.self,
      migrating: .automatic(allowing: JournalStore.mood))
    let entries = try await store.fetch(Entry.all.ordered(by: \.title, \.day))
    // Drafts are entries now, according to the definition in the generated source.
    #expect(entries.map(\.title) == ["One", "Three", "Two", "Untitled"])
    #expect(entries.map(\.body) == ["Rain.", "Later.", "Sun.", nil])
    #expect(entries.map(\.isDraft) == [false, true, false, false])
    let places = try await store.fetch(Place.all.ordered(by: \.name).select(\.name))
    #expect(places == ["Kyoto", "Nara"])
    try await store.close()
    #expect(try journal.files.filter { $0.contains(".Journal.") }.count == 1)

    // The second call doesn't need to migrate.
    let again = try await PersistentStore.openOrCreate(
      journal.path, schema: JournalModel.self, migrating: .automatic,
      options: .init(readers: 0))
    #expect(try await again.fetch(Entry.all.count) == 4)
    try await again.close()
    #expect(try journal.files.filter { $0.contains(".Journal.") }.count == 1)
  }

  @Test func aMissingStoreIsMadeOfTheCurrentVersion() async throws {
    let folder = try TemporaryFolder()
    let store = try await PersistentStore.openOrCreate(
      folder.path("Journal.sqlite"), schema: JournalModel.self, migrating: .automatic)
    #expect(store.model == JournalModel.model)
    try await store.close()
  }

  @Test func statusPlanAndDryRunLeaveTheStoreAsItIs() async throws {
    let journal = try await JournalStore()
    let before = try journal.bytes
    let migrator = journal.migrator(allowing: .none)
    let status = try await migrator.status()
    #expect(status.isPending)
    #expect("\(status)" == "'Journal' → 'Journal 4' (inferred) → 'Journal 5' (defined)")
    let plan = try #require(try await migrator.plan())
    #expect(plan.losses.map(\.name) == ["Entry.mood"])
    #expect(plan.losses.map(\.count) == [1])
    #expect(plan.refusedLosses == plan.losses && plan.isRefused)
    #expect(plan.problems.isEmpty && !plan.steps.isEmpty && plan.cost.disk > 0)
    #expect("\(plan)".contains("would lose Entry.mood (1)"))
    let result = try #require(try await journal.migrator().dryRun())
    #expect(result.losses.map(\.name) == ["Entry.mood"])
    #expect(result.rowsProved > 0)
    #expect(try journal.bytes == before)
    #expect(try journal.files == ["Journal.sqlite"])
  }

  @Test func aLossIsRefusedAndNamed() async throws {
    let journal = try await JournalStore()
    let before = try journal.bytes
    let failure = try await migrationError { try await journal.migrator(allowing: .none).run() }
    #expect(failure?.reason == .losses)
    #expect(failure?.losses.map(\.name) == ["Entry.mood"])
    #expect(
      failure?.description == """
        error: the migration would lose data of the store: Entry.mood (1) [migrate.loss]
          help: allow the loss of 'Entry.mood' to drop it
        """)
    #expect(try journal.bytes == before)
  }

  @Test func aMisspeltLossIsRefused() async throws {
    let journal = try await JournalStore()
    let failure = try await migrationError {
      try await journal.migrator(allowing: .some(["Entry.moood"])).run()
    }
    #expect(failure?.reason == .unusableDefinition)
    #expect(failure?.diagnostics.first?.code == "migrate.unknown-loss")
  }

  /// A loss can be named by the entity of the key path, or by the entity that declares the attribute.
  @Test func aLossOfAnInheritedAttribute() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Page.sqlite")
    let attribute = AttributeDescription(name: "note", type: .string, isOptional: true)
    func model(_ name: String, _ attributes: [AttributeDescription]) -> DataModel {
      DataModel(
        name: name,
        entities: [
          StoreModel.EntityDescription(name: "Page", attributes: attributes),
          StoreModel.EntityDescription(name: "Leaf", parent: "Page"),
        ])
    }
    let versions = [model("A", [attribute]), model("B", [])]
    try await PersistentStore.create(path, for: versions[0])
    let store = try await PersistentStore.open(path, models: versions)
    try await store.batchInsert([["note": .string("x")]], into: "Leaf")
    try await store.close()
    let migrator = StoreMigrator(
      path, versions: ModelVersions(versions),
      settings: MigrationSettings(backup: .none, allowedLosses: .some(["Leaf.note"])))
    #expect(try await migrator.run()?.losses.map(\.name) == ["Page.note"])
  }

  @Test func newerStoresAreRefused() async throws {
    let journal = try await JournalStore()
    try await journal.migrator().run()
    let before = try journal.bytes
    let models = JournalModel.versions.map { $0.model }
    // A version that the program knows but that is newer than its current one.
    let known = try await migrationError {
      try await StoreMigrator(
        journal.path, versions: ModelVersions(models, current: "Journal 4")
      ).run()
    }
    #expect(known?.reason == .newerVersion)
    #expect(known?.description.contains("was written by 'Journal 5', which is newer") == true)
    // A version that the program doesn't know.
    let unknown = try await migrationError {
      _ = try await StoreMigrator(journal.path, versions: ModelVersions(Array(models.prefix(4))))
        .status()
    }
    #expect(unknown?.reason == .newerVersion)
    #expect(try journal.bytes == before)
    // Migrates back only on request.
    let back = StoreMigrator(
      journal.path, versions: ModelVersions(models), to: "Journal 4",
      settings: MigrationSettings(backup: .none, allowedLosses: .all))
    #expect(try await back.run() != nil)
    #expect(try await back.status().version == "Journal 4")
  }

  @Test func theVersionThatWroteANewerStoreIsNamed() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Shop.sqlite")
    func model(_ name: String, _ identifier: String, _ entities: [String]) -> DataModel {
      DataModel(
        name: name, versionIdentifiers: [identifier],
        entities: entities.map { StoreModel.EntityDescription(name: $0) })
    }
    try await PersistentStore.create(path, for: model("Shop 7", "shop-7", ["Item", "Voucher"]))
    let known = model("Shop 6", "shop-6", ["Item"])
    let migrating = try await migrationError {
      try await StoreMigrator(path, versions: ModelVersions([known])).run()
    }
    #expect(migrating?.reason == .newerVersion)
    let opening = try await failure { _ = try await PersistentStore.open(path, models: [known]) }
    for description in [migrating?.description, opening?.description] {
      #expect(
        description?.contains("its metadata calls the version that wrote it 'shop-7'") == true)
    }
  }

  @Test func anUnknownVersionHasTheNearestName() async throws {
    let journal = try await JournalStore()
    let failure = try await migrationError {
      _ = try await StoreMigrator(
        journal.path, versions: ModelVersions(of: JournalModel.self), to: "Jornal 4"
      ).status()
    }
    #expect(failure?.reason == .unusableDefinition)
    #expect(failure?.description.contains("did you mean 'Journal 4'") == true)
  }

  @Test func theStoreOfAnotherModel() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Todo.sqlite")
    try await PersistentStore.create(path, schema: TodoModel.self).close()
    let failure = try await migrationError {
      try await StoreMigrator(path, to: JournalModel.self).run()
    }
    #expect(failure?.reason == .unknownVersion)
  }

  @Test func whatCanHappenToAnyStoreIsAStoreError() async throws {
    let folder = try TemporaryFolder()
    let missing = try await failure {
      try await StoreMigrator(folder.path("none"), to: JournalModel.self).run()
    }
    #expect(missing?.reason == .notFound)
    // The store is open elsewhere in the same process.
    let journal = try await JournalStore()
    let store = try await PersistentStore.open(journal.path, schema: JournalV1.self)
    #expect(try await store.fetch(JournalV1.Entry.all.count) == 3)
    let locked = try await failure { try await journal.migrator().run() }
    #expect(locked?.reason == .locked)
    try await store.close()
    #expect(try await journal.migrator().run() != nil)
  }

  @Test func twoDefinitionsBetweenTheSameVersions() async throws {
    let journal = try await JournalStore()
    let twins = JournalModel.migrations + JournalModel.migrations
    let failure = try await migrationError {
      _ = try await StoreMigrator(
        journal.path,
        versions: ModelVersions(JournalModel.versions.map { $0.model }, migrations: twins)
      ).status()
    }
    #expect(failure?.reason == .unusableDefinition)
    #expect(failure?.diagnostics.map(\.code) == ["migration.twice"])
  }

  @Test func definitionsInSwift() async throws {
    let journal = try await JournalStore()
    let definition = MigrationDefinition(
      from: "Journal 4", to: "Journal 5",
      entities: [
        EntityDefinition(
          "Entry", from: "Entry",
          attributes: [
            AttributeDefinition("summary", value: try FormatExpression(parsing: "title"))
          ])
      ],
      drops: [
        DropDefinition(entity: "Draft"), DropDefinition(entity: "Entry", property: "place"),
      ])
    let versions = ModelVersions(
      JournalModel.versions.map { $0.model }, migrations: [definition])
    try await StoreMigrator(
      journal.path, versions: versions,
      settings: MigrationSettings(backup: .none, allowedLosses: JournalStore.mood)
    ).run()
    let store = try await PersistentStore.open(journal.path, schema: JournalModel.self)
    let summaries = try await store.fetch(Entry.all.ordered(by: \.title).select(\.summary))
    #expect(summaries == ["One", "Two", "Untitled"])
    try await store.close()
  }

  @Test func versionsFromFiles() async throws {
    let journal = try await JournalStore()
    let models = BuiltCommand.repository.appendingPathComponent("Models")
    let versions = try ModelVersions(
      at: models.appendingPathComponent("Journal.xcdatamodeld").path)
    let migrator = StoreMigrator(
      journal.path, versions: versions,
      settings: MigrationSettings(backup: .none, allowedLosses: JournalStore.mood))
    #expect(try await migrator.run() != nil)
    #expect(try await migrator.status().isPending == false)
    #expect(try await migrator.plan() == nil)
    #expect(try await migrator.dryRun() == nil)
    #expect(try await migrator.run() == nil)
  }

  @Test func progressIsTold() async throws {
    let journal = try await JournalStore()
    let phases = Mutex<[MigrationPhase]>([])
    var migrator = journal.migrator()
    migrator.settings.backup = .at(LocalPath(journal.folder.path("Before.sqlite")))
    let result = try await migrator.run { phase in phases.withLock { $0.append(phase) } }
    #expect(result?.backup == LocalPath(journal.folder.path("Before.sqlite")))
    let seen = phases.withLock(\.self)
    #expect(seen.starts(with: [.checking, .backingUp]))
    let first = try #require(seen.first { if case .step = $0 { true } else { false } })
    #expect("\(first)".hasPrefix("1 of "))
    #expect("\(MigrationPhase.backingUp)" == "copying the store")
    let backup = try await PersistentStore.open(
      journal.folder.path("Before.sqlite"), schema: JournalV1.self)
    #expect(try await backup.fetch(JournalV1.Entry.all.count) == 3)
    try await backup.close()
  }
}
