import StoreDiagnostics
import SampleData
import SeededRandom
import StoreCore
import StoreLayout
import StoreModel
@testable import SQLiteAccess
import Testing

@testable import StoreMigration

/// Adding or removing the first sub-entity of an entity can rename its join tables.
@Suite struct JoinTableRenameTests {
  /// Returns the pairs of each to-many relationship in a join table, ordered by key.
  private func pairs(of model: DataModel, in path: String) throws -> [String: [[SQLiteValue]]] {
    let store = try Store.open(LocalPath(path), .reading)
    let layout = try store.layout(for: model)
    return try store.read { connection in
      var pairs: [String: [[SQLiteValue]]] = [:]
      for entity in model.entities {
        for relationship in entity.relationships {
          guard
            case .joinTable(let join)? = layout.entity(named: entity.name)?.toMany[
              relationship.name]
          else { continue }
          let columns = [join.sourceColumn, join.destinationColumn]
            .map { SQL.name($0) }.joined(", ")
          let place = join.orderColumn.map { ", \(name: $0)" as SQL } ?? SQL()
          pairs["\(entity.name).\(relationship.name)"] = try connection.rows(
            "SELECT \(columns)\(place) FROM \(name: join.table) ORDER BY \(columns)")
        }
      }
      return pairs
    }
  }

  @Test(arguments: 1...60)
  func everyPairStaysWhenSubentitiesComeAndGo(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let model = RandomHierarchy.model(&generator)
    let larger = RandomHierarchy.model(adding: &generator, to: model)
    var trial = try PlanTrial(model, rows: 4, seed: seed)
    let before = try pairs(of: model, in: trial.path)
    #expect(before.count > 0, "seed \(seed)")
    for target in [larger, model] {
      let outcome = try trial.migrate(to: target)
      #expect(outcome.failures == [], "seed \(seed)")
      #expect(outcome.losses == [:], "seed \(seed)")
      #expect(try pairs(of: target, in: trial.path) == before, "seed \(seed)")
      #expect(
        try trial.joinTables() == Set(StoreLayout(model: target).joinTables.map(\.name)),
        "seed \(seed)")
      trial.source = target
    }
  }

  /// Stores that were created by earlier versions of storetool use the table of the lower number.
  @Test func aMigrationGivesATableItsUsualName() throws {
    let sides = [("Aaa", "bbbs", "Bbb", "aaas"), ("Bbb", "aaas", "Aaa", "bbbs")]
    var entities = sides.map { name, relationship, destination, inverse in
      EntityDescription(
        name: name,
        relationships: [
          RelationshipDescription(
            name: relationship, destination: destination, inverse: inverse,
            cardinality: .toMany(ordered: false), isOptional: true)
        ])
    }
    entities.append(EntityDescription(name: "Ccc", parent: "Bbb"))
    let model = DataModel(name: "Old", entities: entities)
    entities[0].attributes = [AttributeDescription(name: "name", type: .string, isOptional: true)]
    let target = DataModel(name: "New", entities: entities)

    let trial = try PlanTrial(model, rows: 5, seed: 7)
    let before = try pairs(of: model, in: trial.path)
    #expect(before["Aaa.bbbs"]?.isEmpty == false)
    let store = try Store.open(LocalPath(trial.path), .writing)
    _ = try store.write { try $0.run("ALTER TABLE Z_2AAAS RENAME TO Z_1BBBS") }
    try store.close()
    #expect(try pairs(of: model, in: trial.path) == before)
    let outcome = try trial.migrate(to: target)
    #expect(outcome.failures == [])
    #expect(try trial.joinTables() == ["Z_2AAAS"])
    #expect(try pairs(of: target, in: trial.path) == before)
  }
}

extension PlanTrial {
  fileprivate func joinTables() throws -> Set<String> {
    let schema = try Store.open(LocalPath(path), .reading).read { try $0.databaseSchema() }
    return Set(schema.tables.keys.filter { StoredName.join($0) != nil })
  }
}
