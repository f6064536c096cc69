import Foundation
import SeededRandom
import StoreDiagnostics
import StoreCore
import StoreModel
import StoreSeeding
import StoreModelReader
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreImport
@testable import StoreLayout
@testable import StoreVerification
@testable import StoreMigration

/// Random histories, with stores that have rows of every entity. The chosen route doesn't lose more data than direct
/// migration, and keeps everything that the target can store.
@Suite struct RandomBundleTests {
  @Test(arguments: 0..<Soak.times(15)) func theWayLosesLeast(_ group: Int) throws {
    let count = Soak.times(4)
    for seed in group * count + 1...(group + 1) * count { try check(UInt64(seed)) }
  }

  private func check(_ seed: UInt64) throws {
    var bundle = RandomBundle(seed: seed)
    let (from, to) = bundle.pair()
    let definition = bundle.definition()
    let (source, target) = (bundle.versions[from], bundle.versions[to])
    let (fingerprint, goal) = (ModelFingerprint(of: source), ModelFingerprint(of: target))
    guard fingerprint.hashes != goal.hashes else { return }
    let route: MigrationRoute
    do {
      route = try self.route(from: source, to: target, in: bundle.versions, definition)
    } catch MigrationPathError.lossy(let path, let names) {
      // The migration is refused before it loses data, which requires a definition.
      #expect(path.legs.count > 1 && !names.isEmpty, "seed \(seed)")
      return
    }
    let context = "seed \(seed): \(source.name) → \(target.name), \(route.legs.map(\.path))"

    let chosen = try migrate(source, by: route.mappings, seed: seed)
    let straight =
      try route.alternative.map { try migrate(source, by: [$0], seed: seed) } ?? chosen
    #expect(chosen.rows >= straight.rows, "\(context)")
    #expect(chosen.pairs >= straight.pairs, "\(context): \(chosen.losses), \(straight.losses)")
    // Direct migration replaces NULL with a default if it doesn't know about a rename.
    let less = straight.values.subtracting(chosen.values).subtracting(["0"])
    #expect(less == [], "\(context): \(chosen.losses), \(straight.losses)")
    let places = ModelPlaces(from: source, to: target)
    for outcome in [chosen, straight] {
      for value in outcome.before where places.has(String(value.prefix { $0 != " " })) {
        #expect(outcome.values.contains(value), "\(context): there is a place for it")
      }
      #expect(outcome.findings == [], "\(context)")
    }
  }

  private func route(
    from source: DataModel, to target: DataModel, in versions: [DataModel],
    _ definition: (from: String, to: String, xml: String)?
  ) throws -> MigrationRoute {
    let jumps = definition.map { [VersionJump(from: $0.from, to: $0.to)] } ?? []
    let order = VersionOrder(
      of: versions.map(\.name), current: target.name,
      migrations: jumps.map { .init(from: $0.from, to: $0.to) })
    let path = try MigrationPath(
      from: source.name, to: target.name, in: order.names, definitions: jumps)
    func model(_ name: String) throws -> DataModel {
      try #require(versions.first { $0.name == name })
    }
    return try MigrationRoute(
      path, model: model, renames: { try RenameHistory(of: order.names, model: model) }
    ) { _ in
      let xml = try #require(definition?.xml)
      return try MigrationDefinition(
        reading: XMLSource(file: "definition.xml", bytes: Array(xml.utf8)))
    }
  }

  private struct Result {
    var losses: [MigrationLoss]
    var rows: Int64 = 0
    /// The number of pairs of all relationships.
    var pairs: Int64 = 0
    /// Values that contain their origin, such as `Item.note 3`.
    var before: Set<String> = []
    var values: Set<String> = []
    var findings: [StoreFinding]
  }

  private func migrate(
    _ source: DataModel, by mappings: [ModelMapping], seed: UInt64
  ) throws -> Result {
    let store = try MigrationStore(source)
    let writer = try Store.open(LocalPath(store.path), .writing)
    try writer.write { connection in
      try SampleRows(store.layout, count: 3, seed: seed).write(to: connection)
      for entity in store.layout.entities {
        for (name, place) in entity.attributes {
          let text = SQLiteValue.text("\(entity.name).\(name) ")
          try connection.run(
            """
            UPDATE \(name: entity.table) SET \(name: place.column) = \(value: text) || Z_PK \
            WHERE \(name: place.column) IS NOT NULL
            """)
        }
      }
    }
    try writer.close()
    let before = try texts(of: store.layout, in: store.path)
    let migrated = try VerifiedMigration(
      of: LocalPath(store.path), by: mappings, from: "from", to: "to")
    let layout = StoreLayout(model: try #require(mappings.last).target)
    var outcome = Result(
      losses: migrated.report.losses, before: before,
      values: try texts(of: layout, in: store.path),
      findings: migrated.newFindings.filter { $0.severity == .error })
    let reader = try Store.open(LocalPath(store.path), .reading)
    try reader.read { connection in
      for table in layout.tables {
        outcome.rows += try connection.integer("SELECT count(*) FROM \(name: table.name)")
      }
      for column in layout.entities.flatMap(\.toOne.values) {
        let table = try #require(layout.entities.first { $0.toOne.values.contains(column) }).table
        outcome.pairs += try connection.integer(
          "SELECT count(\(name: column.column)) FROM \(name: table)")
      }
      for table in layout.joinTables {
        outcome.pairs += try connection.integer("SELECT count(*) FROM \(name: table.name)")
      }
    }
    try reader.close()
    return outcome
  }

  private func texts(of layout: StoreLayout, in path: String) throws -> Set<String> {
    let store = try Store.open(LocalPath(path), .reading)
    let found = try store.read { connection in
      try layout.entities.flatMap { entity in
        try entity.attributes.values.flatMap { place in
          try connection.rows("SELECT \(name: place.column) FROM \(name: entity.table)")
        }
      }
    }
    try store.close()
    return Set(
      found.compactMap { row in
        if case .text(let text)? = row.first { text } else { nil }
      })
  }
}
