import StoreDiagnostics
import Foundation
import StoreTestSupport
import StoreModel
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

/// Compares the schema that `create` makes from a model with Core Data's schema.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusSchemaTests {
  @Test(arguments: CorpusPair.all)
  func ourSchemaEqualsCoreDatas(_ pair: CorpusPair) throws {
    let store = try Store.open(LocalPath(pair.storePath), .reading)
    let real = try store.read { try Schema(of: $0, metadata: store.metadata) }
    let fixture = try StoreFixture(try pair.readModel())
    let made = try Store.open(LocalPath(fixture.path), .reading)
    let ours = try made.read { try Schema(of: $0, metadata: made.metadata) }

    let differences = real.differences(to: ours)
    let excepted = Unsettled.subjects(in: pair.store)
    let unexpected = differences.filter { !excepted.contains($0.subject) }
    #expect(unexpected.isEmpty, "\(unexpected.map(\.description).joined(separator: "\n"))")
    // An exception that is no longer needed must be removed.
    let idle = excepted.subtracting(differences.map(\.subject))
    #expect(idle.isEmpty, "no difference any more in \(idle.sorted())")
  }

  /// The adapted layout also includes choices of the store that can't be derived from the model.
  @Test(arguments: CorpusPair.all)
  func theAdaptedLayoutFitsExactly(_ pair: CorpusPair) throws {
    let store = try Store.open(LocalPath(pair.storePath), .reading)
    let schema = try store.read { try $0.schema() }
    let layout = try store.layout(for: try pair.readModel())
    #expect(layout.gaps(in: schema).filter(\.preventsReading) == [])
    let tables = layout.tables.map { ($0.name, $0.columns) }
    let joins = layout.joinTables.map { ($0.name, $0.columns) }
    for (table, columns) in tables + joins {
      #expect(
        Set(schema.database.tables[table]?.columnNames ?? []) == Set(columns.map(\.name)),
        "\(table)")
    }
    for entity in layout.entities {
      let row = schema.primaryKeys.first { $0.number == entity.number }
      #expect(row?.parentNumber == entity.parentNumber, "\(entity.name)")
      let wasRenamed = Unsettled.subjects(in: pair.store).contains("entity \(entity.number)")
      #expect(row?.name == (wasRenamed ? "ExpensiveSportCar" : entity.name))
    }
  }

  @Test(arguments: CorpusPair.all)
  func theStoreKnowsItsModel(_ pair: CorpusPair) throws {
    let metadata = try Store.open(LocalPath(pair.storePath), .reading).metadata
    let candidates = VersionCandidate.all(of: try pair.readModel())
    #expect(StoreVersion(of: metadata.hashes, among: candidates) == .known([0]))
    let fingerprint = ModelFingerprint(of: try pair.readModel())
    if let digest = metadata.digest { #expect(digest == fingerprint.digest) }
    if let checksum = metadata.checksum { #expect(checksum == fingerprint.checksum) }
  }

  /// Most of the stores with index conditions, and with indexes on the row's key or entity, have no known XML.
  @Test func indexesAndRTreesOfCarriedModelsHaveTheTextsOfCoreData() throws {
    var counts = (partial: 0, keyed: 0, rTrees: 0)
    for path in Corpus.storePaths {
      let store = try Store.open(LocalPath(Corpus.store(path).path), .reading)
      guard case .usable(let own) = try store.carriedModel() else { continue }
      let layout = try store.layout(
        for: own.model,
        configuration: own.model.configurations.first { $0.name == own.configuration })
      let schema = try store.read { try $0.schema() }.database
      for (table, index) in layout.tables.flatMap({ table in table.indexes.map { (table, $0) } }) {
        let isKeyed = index.columns.contains { $0.name == FixedColumn.primaryKey }
        guard index.condition != nil || isKeyed,
          let real = schema.tables[table.name]?.indexes.first(where: { $0.name == index.name })
        else { continue }
        if index.condition != nil { counts.partial += 1 }
        if isKeyed { counts.keyed += 1 }
        #expect(
          real.definition.map(SchemaSnapshot.plain) == index.sql(on: table.name).literalText,
          "\(path)")
      }
      let triggers = Dictionary(
        uniqueKeysWithValues: schema.triggers.map { ($0.name, $0.definition) })
      for tree in layout.rTrees {
        counts.rTrees += 1
        #expect(schema.virtualTables[tree.name] == tree.sql.literalText, "\(path)")
        for trigger in tree.triggers {
          // The triggers are missing from one store.
          guard let real = triggers[trigger.name] else { continue }
          #expect(SchemaSnapshot.plain(real) == trigger.sql.literalText, "\(path)")
        }
      }
    }
    #expect(counts == (partial: 135, keyed: 83, rTrees: 10))
  }

  @Test func thereAreEnoughPairs() {
    #expect(CorpusPair.all.count >= 140)
    #expect(Set(CorpusPair.all.map(\.store)).count >= 68)
  }
}

/// Cases in which Core Data's choice is unknown, so that the schemas can differ. Other differences aren't allowed.
private enum Unsettled {
  /// Returns the tables, and the entities whose numbers differ, of a store.
  static func subjects(in store: String) -> Set<String> {
    Set(all.filter { $0.stores.contains { store.hasSuffix("/\($0)") } }.flatMap(\.subjects))
  }

  private static func wire(_ versions: String...) -> [String] {
    versions.map { "store\($0).wiredatabase" }
  }

  private static let all: [(reason: String, stores: [String], subjects: [String])] = [
    (
      "which side names a reflexive join table changed with the number of properties",
      wire("1-27", "2-3"),
      [
        "Z_14IGNOREDBYCLIENTS", "Z_14IGNOREDCLIENTS", "Z_14TRUSTEDBYCLIENTS",
        "Z_14TRUSTEDCLIENTS",
      ]
    ),
    (
      "which side names a reflexive join table", wire("2-96-0", "2-99-0", "2-100-0"),
      ["Z_25TRUSTEDBYCLIENTS", "Z_25TRUSTEDCLIENTS"]
    ),
    (
      "which side names a reflexive join table", wire("2-102-0", "2-104-0"),
      ["Z_24TRUSTEDBYCLIENTS", "Z_24TRUSTEDCLIENTS"]
    ),
    (
      "which of one entity's colliding join columns gets which number",
      ["oss_stubbed_data.sqlite"], ["Z_3LOCATIONS", "Z_3SHOWS"]
    ),
    (
      "the order of two Z_FOK_ columns: VISIBLEINCONVERSATION before HIDDENINCONVERSATION",
      wire("1-27", "2-3", "2-4", "2-6"), ["ZMESSAGE"]
    ),
    (
      "Z_PRIMARYKEY kept the name that the entity had before a migration in place",
      ["40e99f98-SampleModelV1.sqlite", "SampleModel_V2.sqlite", "_SampleModelV2.sqlite"],
      ["entity 3"]
    ),
  ]
}
