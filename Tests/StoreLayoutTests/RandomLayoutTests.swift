import SampleData
import SeededRandom
import StoreModel
import Testing

@testable import SQLiteAccess
@testable import StoreLayout

/// For any model, SQLite accepts the schema, and the layout can be found in it again.
@Suite struct RandomLayoutTests {
  @Test(arguments: 1...60)
  func createAndReadBack(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let model = RandomModel.make(&generator)
    let layout = StoreLayout(model: model)
    let read = try MemoryDatabase().inside { connection in
      for statement in layout.statements { try connection.define(statement) }
      for entity in layout.entities {
        try connection.insertPrimaryKey(
          PrimaryKeyRow(
            number: entity.number, name: entity.name, parentNumber: entity.parentNumber))
      }
      return StoreLayout(model: model, in: try connection.schema())
    }
    #expect(read.entities == layout.entities, "seed \(seed)")
    #expect(read.tables == layout.tables, "seed \(seed)")
    #expect(Set(read.joinTables) == Set(layout.joinTables), "seed \(seed)")
    for table in layout.tables {
      #expect(Set(table.columns.map { $0.name.lowercased() }).count == table.columns.count)
    }
    for entity in layout.entities {
      let declared = try #require(model.entity(named: entity.name))
      let relationships = model.relationships(of: declared)
      #expect(entity.toOne.count == relationships.count { !$0.isToMany }, "seed \(seed)")
      #expect(entity.toMany.count == relationships.count(where: \.isToMany), "seed \(seed)")
      #expect(entity.attributes.count == model.attributes(of: declared).count, "seed \(seed)")
    }
  }
}

private enum RandomModel {
  static let types: [AttributeType] = AttributeType.named.map(\.type)
  static let names = ["name", "Name2", "a_b", "value1", "value", "ORDER", "group by", "it's", "é"]

  static func make(_ generator: inout SeededGenerator) -> DataModel {
    let count = Int.random(in: 1...8, using: &generator)
    var entities = (0..<count).map { index in
      EntityDescription(
        name: "\(["b", "A", "C_", "d"][index % 4])\(index)",
        parent: index > 0 && Bool.random(using: &generator)
          ? "\(["b", "A", "C_", "d"][(index - 1) % 4])\(index - 1)" : nil)
    }
    for index in entities.indices {
      // An entity can have the same names as a sibling, but not as an ancestor.
      let depth = "\(index)_"
      entities[index].attributes = names.shuffled(using: &generator)
        .prefix(Int.random(in: 0...5, using: &generator)).sorted().map { name in
          AttributeDescription(
            name: Bool.random(using: &generator) && entities[index].parent == nil
              ? name : name + depth,
            type: types.randomElement(using: &generator) ?? .string,
            isIndexed: Bool.random(using: &generator))
        }
    }
    for number in 0..<Int.random(in: 0...10, using: &generator) {
      connect(&entities, number, &generator)
    }
    return DataModel(name: "Random", entities: entities)
  }

  private static func connect(
    _ entities: inout [EntityDescription], _ number: Int, _ generator: inout SeededGenerator
  ) {
    let cardinalities: [RelationshipDescription.Cardinality] = [
      .toOne, .toMany(ordered: false), .toMany(ordered: true),
    ]
    guard let from = entities.indices.randomElement(using: &generator),
      let to = entities.indices.randomElement(using: &generator),
      let forth = cardinalities.randomElement(using: &generator),
      let back = cardinalities.randomElement(using: &generator)
    else { return }
    let hasInverse = Bool.random(using: &generator)
    entities[from].relationships.append(
      RelationshipDescription(
        name: "forth\(number)", destination: entities[to].name,
        inverse: hasInverse ? "back\(number)" : nil, cardinality: forth))
    guard hasInverse else { return }
    entities[to].relationships.append(
      RelationshipDescription(
        name: "back\(number)", destination: entities[from].name, inverse: "forth\(number)",
        cardinality: back))
  }
}
