import SampleData
import SeededRandom
import StoreModel
import Testing

@testable import SQLiteAccess
@testable import StoreLayout

/// The names of join tables, which Core Data derives from the model.
@Suite struct JoinTableNameTests {
  /// - Parameter parents: the parents of the additional entities `C0`, `C1`, …
  private func model(_ parents: [String]) -> DataModel {
    DataModel(
      name: "Pair",
      entities: [
        EntityDescription(
          name: "A",
          relationships: [
            RelationshipDescription(
              name: "bs", destination: "B", inverse: "as", cardinality: .toMany(ordered: true))
          ]),
        EntityDescription(
          name: "B",
          relationships: [
            RelationshipDescription(
              name: "as", destination: "A", inverse: "bs", cardinality: .toMany(ordered: false))
          ]),
      ] + parents.enumerated().map { EntityDescription(name: "C\($0)", parent: $1) })
  }

  private func table(_ parents: [String]) -> String {
    StoreLayout(model: model(parents)).joinTables.map(\.sql.literalText).joined()
  }

  @Test func lowerNumberNamesATableOfTwoEntitiesThatAreAlike() {
    let sql = """
      CREATE TABLE Z_1BS ( Z_1AS INTEGER, Z_2BS INTEGER, Z_FOK_2BS INTEGER, PRIMARY KEY (Z_1AS, Z_2BS) )
      """
    #expect(table([]) == sql)
    #expect(table(["A", "B"]) == sql.replacing("2BS", with: "3BS"))
    // Only direct subentities count.
    #expect(table(["A", "B", "C1"]) == sql.replacing("2BS", with: "3BS"))
  }

  @Test func onlyEntityWithSubentitiesNamesTheTable() {
    #expect(
      table(["B"])
        == """
        CREATE TABLE Z_2AS ( Z_2BS INTEGER, Z_1AS INTEGER, Z_FOK_2BS INTEGER, PRIMARY KEY (Z_2BS, Z_1AS) )
        """)
    #expect(
      table(["A"])
        == """
        CREATE TABLE Z_1BS ( Z_1AS INTEGER, Z_3BS INTEGER, Z_FOK_3BS INTEGER, PRIMARY KEY (Z_1AS, Z_3BS) )
        """)
  }

  @Test(arguments: 1...200)
  func randomModelsFollowTheRule(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let model = RandomHierarchy.model(&generator)
    let layout = StoreLayout(model: model)
    for entity in model.entities {
      for relationship in entity.relationships where relationship.destination != entity.name {
        let place = try #require(layout.entity(named: entity.name))
        let other = try #require(layout.entity(named: relationship.destination))
        let inverse = try #require(relationship.inverse)
        guard case .joinTable(let join)? = place.toMany[relationship.name] else {
          Issue.record("seed \(seed): '\(relationship.name)' has no join table")
          continue
        }
        func isParent(_ name: String) -> Bool { model.entities.contains { $0.parent == name } }
        let sides = (isParent(place.name), isParent(other.name))
        let isFirst = sides.0 == sides.1 ? place.number < other.number : sides.0
        let name =
          isFirst
          ? "Z_\(place.number)\(relationship.name.uppercased())"
          : "Z_\(other.number)\(inverse.uppercased())"
        #expect(join.table == name, "seed \(seed)")
        let table = try #require(layout.joinTables.first { $0.name == name })
        #expect((table.primaryKey.first == join.sourceColumn) == isFirst, "seed \(seed)")
        #expect(table.usualName == name, "seed \(seed)")
      }
    }
  }

  /// Returns the layout of a store whose tables have been altered.
  private func layout(of model: DataModel, _ script: String) throws -> (StoreLayout, StoreSchema) {
    let fresh = StoreLayout(model: model)
    return try MemoryDatabase().inside { connection in
      for statement in fresh.statements { try connection.define(statement) }
      for entity in fresh.entities {
        try connection.insertPrimaryKey(
          PrimaryKeyRow(
            number: entity.number, name: entity.name, parentNumber: entity.parentNumber))
      }
      try connection.runScript(script)
      let schema = try connection.schema()
      return (StoreLayout(model: model, in: schema), schema)
    }
  }

  @Test(arguments: ["Z_1BS", "Z_9OTHERS"])
  func findsATableOfAnotherNameByItsColumns(_ name: String) throws {
    let (found, schema) = try layout(of: model(["B"]), "ALTER TABLE Z_2AS RENAME TO \(name)")
    #expect(found.joinTables.map(\.name) == [name])
    #expect(
      found.entity(named: "A")?.toMany["bs"]
        == .joinTable(
          .init(
            destination: "B", table: name, sourceColumn: "Z_1AS", destinationColumn: "Z_2BS",
            orderColumn: "Z_FOK_2BS")))
    #expect(found.gaps(in: schema) == [.joinTableName(name, usual: "Z_2AS")])
  }

  @Test(arguments: [
    "DROP TABLE Z_2AS",
    // Neither of the two tables is more likely.
    """
    ALTER TABLE Z_2AS RENAME TO Z_8OTHERS;
    CREATE TABLE Z_9OTHERS (Z_1AS INTEGER, Z_2BS INTEGER, Z_FOK_2BS INTEGER)
    """,
    "DROP TABLE Z_2AS; CREATE TABLE Z_1BS (Z_2BS INTEGER)",
    "ALTER TABLE Z_2AS RENAME TO ZMINE",
  ])
  func missesATableThatNothingExplains(_ script: String) throws {
    let rows = "; UPDATE Z_PRIMARYKEY SET Z_MAX = 1"
    let (found, schema) = try layout(of: model(["B"]), script + rows)
    #expect(found.gaps(in: schema) == [.table("Z_2AS", entity: nil, instead: nil)])
  }
}
