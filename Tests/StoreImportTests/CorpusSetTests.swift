import StoreDiagnostics
import Foundation
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import RecordFormats
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreImport
@testable import StoreLayout

/// Compares each exported many-to-many relationship of the real stores with plain SQL over its join table.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusSetTests {
  @Test func everySetEqualsItsJoinTable() throws {
    var (sets, pairs, stores) = (0, 0, 0)
    var done: Set<String> = []
    for pair in CorpusPair.all where done.insert(pair.store).inserted {
      let store = try Store.open(LocalPath(pair.storePath), .reading)
      let found = try check(store, try store.readableLayout(for: pair.readModel()), pair.store)
      sets += found.sets
      pairs += found.pairs
      stores += 1
    }
    #expect(sets >= 700 && pairs >= 6000, "\(sets) relationships with \(pairs) pairs")
    // The other stores are read with the models that they contain.
    for path in Corpus.storePaths where !done.contains(path) {
      let store = try Store.open(LocalPath(Corpus.store(path).path), .reading)
      guard case .usable(let own) = try store.carriedModel() else { continue }
      let configuration = own.model.configurations.first { $0.name == own.configuration }
      let layout = try store.readableLayout(for: own.model, configuration: configuration)
      let found = try check(store, layout, path)
      sets += found.sets
      pairs += found.pairs
      stores += 1
    }
    #expect(
      stores >= 114 && sets >= 1100 && pairs >= 8900,
      "\(stores) stores, \(sets) relationships with \(pairs) pairs")
  }

  private func check(
    _ store: Store, _ layout: StoreLayout, _ name: String
  ) throws -> (sets: Int, pairs: Int) {
    let model = layout.model
    let exported = try exportedPairs(of: store, layout)
    var (sets, pairs) = (0, 0)
    for entity in model.entities {
      for relationship in entity.relationships {
        guard let place = layout.entity(named: entity.name),
          case .joinTable? = place.toMany[relationship.name]
        else { continue }
        let rows = try plainPairs(of: relationship, declaredBy: entity, model, layout, store)
        let ours = place.subtree.compactMap { layout.entity(numbered: $0)?.name }
          .flatMap { exported["\($0).\(relationship.name)"] ?? [] }
        #expect(Set(ours) == rows, "\(name): \(entity.name).\(relationship.name)")
        #expect(ours.count == rows.count, "\(name): \(entity.name).\(relationship.name)")
        sets += 1
        pairs += rows.count
      }
    }
    return (sets, pairs)
  }

  /// Returns the numbers and keys of owners and members from the table that has both columns.
  private func plainPairs(
    of relationship: RelationshipDescription, declaredBy entity: EntityDescription,
    _ model: DataModel,
    _ layout: StoreLayout, _ store: Store
  ) throws -> Set<String> {
    let (inverse, other) = try #require(
      model.sharedInverse(of: relationship, declaredBy: entity))
    let place = try #require(layout.entity(named: entity.name))
    let members = try #require(layout.entity(named: relationship.destination))
    let declaring = try #require(layout.entity(named: other.name))
    let isOwn = inverse.name == relationship.name && other.name == entity.name
    let member = "Z_\(declaring.number)\(relationship.name.uppercased())"
    let owner = isOwn ? "REFLEXIVE" : "Z_\(place.number)\(inverse.name.uppercased())"
    return try store.read { connection in
      // If two tables have the same column name, a number is appended to it.
      let tables = try connection.databaseSchema().tables.values.compactMap { table -> SQL? in
        func column(_ base: String) -> String? {
          table.columnNames.contains(base)
            ? base
            : table.columnNames.first {
              $0.hasPrefix(base) && Int($0.dropFirst(base.count)) != nil
            }
        }
        let names = [
          "Z_\(place.number)\(relationship.name.uppercased())",
          "Z_\(declaring.number)\(inverse.name.uppercased())",
        ]
        guard names.contains(table.name), let owner = column(owner), let member = column(member)
        else { return nil }
        return """
          SELECT o.Z_ENT || '/' || o.Z_PK || ' ' || m.Z_ENT || '/' || m.Z_PK \
          FROM \(name: table.name) AS j JOIN \(name: place.table) AS o ON o.Z_PK = j.\(name: owner) \
          JOIN \(name: members.table) AS m ON m.Z_PK = j.\(name: member)
          """
      }
      #expect(tables.count == 1, "\(entity.name).\(relationship.name)")
      return try Set(tables.flatMap { try connection.rows($0) }.compactMap { $0.first?.text })
    }
  }

  /// The relationships by entity and name, including inherited ones.
  private func exportedPairs(of store: Store, _ layout: StoreLayout) throws -> [String: [String]] {
    let context = RowContext(
      layout: layout, store: store.metadata.uuid,
      externalFolder: ExternalFolder(path: store.externalDataFolder, counting: UnreadValues()))
    let sink = ByteCollector()
    try store.read {
      try Export(of: [], in: layout, as: .ndjson).write(from: $0, context, to: sink)
    }
    var pairs: [String: [String]] = [:]
    for line in sink.bytes.split(separator: UInt8(ascii: "\n")) {
      let record = try #require(
        try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
      let entity = try #require(record["$entity"] as? String)
      let owner = try row(record["$id"], layout)
      for relationship in layout.entity(named: entity)?.toMany.keys.sorted() ?? [] {
        for member in record[relationship] as? [Any] ?? [] {
          let id = (member as? [String: Any])?["$id"] ?? member
          pairs["\(entity).\(relationship)", default: []].append("\(owner) \(try row(id, layout))")
        }
      }
    }
    return pairs
  }

  /// Returns `3/17` for `x-coredata://…/Person/p17`.
  private func row(_ id: Any?, _ layout: StoreLayout) throws -> String {
    let parts = try #require(id as? String).split(separator: "/")
    let entity = try #require(layout.entity(named: String(parts[parts.count - 2])))
    return "\(entity.number)/\(parts[parts.count - 1].dropFirst())"
  }
}
