import SQLiteAccess
import SeededRandom
import StoreDiagnostics
import StoreCore
import StoreLayout
import StoreModel
import StoreSeeding
import StoreVerification
import TestSupport
import Testing

@testable import StoreMigration

/// Versions that exchange names: after the migration, each value belongs to the property with the canonical identifier
/// of its original property.
@Suite struct RandomRenameTests {
  @Test(arguments: 0..<Soak.times(7)) func valuesFollowCanonicalIdentifiers(_ group: Int) throws {
    for seed in UInt64(group * 10 + 1)...UInt64(group * 10 + 10) { try check(seed) }
  }

  private func check(_ seed: UInt64) throws {
    let renames = RandomRenames(seed: seed)
    let (old, new) = (renames.source, renames.target)
    let store = try MigrationStore(old)
    let writer = try Store.open(LocalPath(store.path), .writing)
    try writer.write { connection in
      try SampleRows(store.layout, count: 4, seed: seed).write(to: connection)
      for entity in store.layout.entities {
        for (name, place) in entity.attributes {
          let text = SQLiteValue.text("\(entity.name).\(name) ")
          try connection.run(
            """
            UPDATE \(name: entity.table) SET \(name: place.column) = \(value: text) || Z_PK \
            WHERE Z_ENT = \(value: .integer(entity.number))
            """)
        }
      }
    }
    try writer.close()
    let before = try State(of: old, in: store.path)
    let pairing = ModelPairing(from: old, to: new)
    #expect(pairing.mismatches == [], "seed \(seed)")

    let migrated = try VerifiedMigration(
      of: LocalPath(store.path), by: [MappingInference.infer(pairing)], from: old.name, to: new.name
    )

    #expect(migrated.newFindings.filter { $0.severity == .error } == [], "seed \(seed)")
    let after = try State(of: new, in: store.path)
    #expect(!before.values.isEmpty, "seed \(seed)")
    for (row, values) in before.values {
      let found = after.values[row] ?? [:]
      for (name, value) in values where after.names[row]?.contains(name) == true {
        #expect(found[name] == value, "seed \(seed): \(name) of \(row)")
      }
      #expect(Set(found.keys).isSubset(of: values.keys), "seed \(seed): a value of \(row) is new")
    }
    #expect(Set(after.values.keys) == Set(before.values.keys), "seed \(seed)")
    #expect(after.members == before.members, "seed \(seed)")
  }

  /// The rows of a store by canonical identifiers.
  private struct State {
    /// Values by the row's tag and the attribute's canonical identifier.
    var values: [String: [String: String]] = [:]
    /// The names of a row's attributes by the row's tag.
    var names: [String: Set<String>] = [:]
    /// Tags of members by the relationship's canonical identifier and the owner's tag. Ordered relationships keep their
    /// order.
    var members: [String: [String: [String]]] = [:]

    init(of model: DataModel, in path: String) throws {
      let store = try Store.open(LocalPath(path), .reading)
      let layout = try store.layout(for: model)
      let tags = try store.read { connection in
        var tags: [String: [Int64: String]] = [:]
        for entity in layout.entities {
          let tag = try #require(entity.attributes[RandomRenames.tag])
          let rows = try connection.rows(
            """
            SELECT Z_PK, \(name: tag.column) FROM \(name: entity.table) \
            WHERE Z_ENT = \(value: .integer(entity.number))
            """)
          for row in rows {
            guard case .integer(let key) = row[0], case .text(let text) = row[1] else {
              Issue.record("a row of \(entity.name) lacks its tag")
              continue
            }
            tags[entity.table, default: [:]][key] = text
          }
          let attributes = model.attributes(of: try #require(model.entity(named: entity.name)))
          for attribute in attributes {
            let column = try #require(entity.attributes[attribute.name]).column
            let found = try connection.rows(
              """
              SELECT \(name: tag.column), \(name: column) FROM \(name: entity.table) \
              WHERE Z_ENT = \(value: .integer(entity.number))
              """)
            for row in found {
              guard case .text(let tag) = row[0] else { continue }
              let name = attribute.renamable.canonical
              names[tag, default: []].insert(name)
              if case .text(let text) = row[1] { values[tag, default: [:]][name] = text }
            }
          }
        }
        return tags
      }
      try store.read { connection in
        for entity in model.entities {
          let owner = try #require(layout.entity(named: entity.name))
          for relationship in entity.relationships {
            let pairs = try Self.pairs(of: relationship.name, owner, layout, connection)
            var found: [String: [String]] = [:]
            for (one, other) in pairs.keys {
              guard let one = tags[owner.table]?[one], let other = tags[pairs.table]?[other] else {
                continue
              }
              found[one, default: []].append(other)
            }
            members[relationship.renamable.canonical] =
              relationship.isOrdered ? found : found.mapValues { $0.sorted() }
          }
        }
      }
      try store.close()
    }

    private static func pairs(
      of name: String, _ owner: EntityLayout, _ layout: StoreLayout, _ connection: Connection
    ) throws -> (table: String, keys: [(Int64, Int64)]) {
      let query: SQL
      let destination: String
      if let toOne = owner.toOne[name] {
        destination = toOne.destination
        query =
          "SELECT Z_PK, \(name: toOne.column) FROM \(name: owner.table) WHERE \(name: toOne.column) IS NOT NULL"
      } else {
        switch try #require(owner.toMany[name]) {
        case .column(let key):
          destination = key.destination
          query = """
            SELECT \(name: key.column), Z_PK FROM \(name: key.table) \
            WHERE \(name: key.column) IS NOT NULL ORDER BY \(name: key.orderColumn ?? "Z_PK")
            """
        case .joinTable(let join):
          destination = join.destination
          query = """
            SELECT \(name: join.sourceColumn), \(name: join.destinationColumn) \
            FROM \(name: join.table) ORDER BY \(name: join.orderColumn ?? join.destinationColumn)
            """
        }
      }
      let keys = try connection.rows(query).compactMap { row -> (Int64, Int64)? in
        guard case .integer(let one) = row[0], case .integer(let other) = row[1] else { return nil }
        return (one, other)
      }
      return (try #require(layout.entity(named: destination)).table, keys)
    }
  }
}
