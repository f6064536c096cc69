import SampleData
import SeededRandom
import SQLiteAccess
import StoreLayout
import StoreModel

/// A random model with delete rules of every kind, and a random graph of its objects. Both sides of every relationship
/// agree.
struct RuledGraph {
  typealias Object = Int

  struct Pair: Hashable {
    var owner: Object
    var member: Object
  }

  let model: DataModel
  let layout: StoreLayout
  /// The entity of each object.
  private(set) var entities: [String] = []
  private(set) var keys: [Int64] = []
  /// To-one relationships, by `Entity.relationship`.
  var toOne: [String: [Object: Object]] = [:]
  /// The owners of members of a to-many without inverse.
  var hidden: [String: [Object: Object]] = [:]
  /// Many-to-many relationships, from both sides.
  var pairs: [String: Set<Pair>] = [:]

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    model = Self.model(&generator)
    layout = StoreLayout(model: model)
    var last: [String: Int64] = [:]
    let concrete = model.entities.filter { !$0.isAbstract }
    for _ in 0..<Int.random(in: 3...24, using: &generator) {
      guard let entity = concrete.randomElement(using: &generator) else { continue }
      let root = model.root(of: entity).name
      last[root, default: 0] += Int64.random(in: 1...3, using: &generator)
      entities.append(entity.name)
      keys.append(last[root] ?? 0)
    }
    for entity in model.entities {
      for relationship in entity.relationships { connect(entity, relationship, &generator) }
    }
  }

  func objects(of entity: String) -> [Object] {
    guard let wanted = model.entity(named: entity) else { return [] }
    return entities.indices.filter { index in
      model.entity(named: entities[index]).map { model.isKind($0, of: wanted) } ?? false
    }
  }

  // MARK: The model

  private static func model(_ generator: inout SeededGenerator) -> DataModel {
    var entities = (0..<Int.random(in: 1...5, using: &generator)).map { index in
      EntityDescription(
        name: "E\(index)",
        parent: index > 0 && Int.random(in: 0..<3, using: &generator) == 0
          ? "E\(Int.random(in: 0..<index, using: &generator))" : nil)
    }
    for index in entities.indices {
      if entities[index].parent == nil {
        entities[index].attributes = [AttributeDescription(name: "number", type: .integer64)]
      }
      let hasChild = entities.contains { $0.parent == entities[index].name }
      entities[index].isAbstract = hasChild && Bool.random(using: &generator)
    }
    for number in 0..<Int.random(in: 1...7, using: &generator) {
      relate(&entities, number, &generator)
    }
    for index in entities.indices { entities[index].relationships.sort { $0.name < $1.name } }
    return DataModel(name: "Ruled", entities: entities)
  }

  private static func relate(
    _ entities: inout [EntityDescription], _ number: Int, _ generator: inout SeededGenerator
  ) {
    let from = Int.random(in: entities.indices, using: &generator)
    let to = Int.random(in: entities.indices, using: &generator)
    func relationship(_ name: String, to: Int, inverse: String?) -> RelationshipDescription {
      let cardinalities: [RelationshipDescription.Cardinality] = [
        .toOne, .toOne, .toMany(ordered: false), .toMany(ordered: true),
      ]
      let rules: [RelationshipDescription.DeleteRule] = [
        .nullify, .nullify, .nullify, .cascade, .cascade, .cascade, .deny, .noAction,
      ]
      return RelationshipDescription(
        name: name, destination: entities[to].name, inverse: inverse,
        cardinality: cardinalities.randomElement(using: &generator) ?? .toOne,
        isOptional: Int.random(in: 0..<5, using: &generator) > 0,
        deleteRule: rules.randomElement(using: &generator) ?? .nullify)
    }
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: entities[from].relationships.append(relationship("r\(number)", to: to, inverse: nil))
    case 1:
      let own = relationship("r\(number)", to: from, inverse: "r\(number)")
      entities[from].relationships.append(own)
    default:
      entities[from].relationships.append(
        relationship("r\(number)", to: to, inverse: "s\(number)"))
      entities[to].relationships.append(
        relationship("s\(number)", to: from, inverse: "r\(number)"))
    }
  }

  // MARK: The objects

  private mutating func connect(
    _ entity: EntityDescription, _ relationship: RelationshipDescription,
    _ generator: inout SeededGenerator
  ) {
    let name = "\(entity.name).\(relationship.name)"
    let inverse = model.inverse(of: relationship).map { "\($0.declaredBy.name).\($0.0.name)" }
    // Each pair of relationships is filled once, from the side that stores it.
    for one in objects(of: entity.name) {
      for other in objects(of: relationship.destination)
      where Int.random(in: 0..<4, using: &generator) == 0 {
        link(name, inverse, relationship, one, other)
      }
    }
  }

  private mutating func link(
    _ name: String, _ inverse: String?, _ relationship: RelationshipDescription, _ one: Object,
    _ other: Object
  ) {
    let back = model.inverse(of: relationship)?.0
    switch (relationship.isToMany, back?.isToMany) {
    case (false, nil): toOne[name, default: [:]][one] = other
    case (true, nil): hidden[name, default: [:]][other] = one
    case (false, true): toOne[name, default: [:]][one] = other
    case (true, false): return
    case (false, false):
      guard let inverse, toOne[name]?[one] == nil, toOne[inverse]?[other] == nil else { return }
      toOne[name, default: [:]][one] = other
      toOne[inverse, default: [:]][other] = one
    case (true, true):
      guard let inverse else { return }
      pairs[name, default: []].insert(Pair(owner: one, member: other))
      pairs[inverse, default: []].insert(Pair(owner: other, member: one))
    }
  }
}

// MARK: The rows

extension RuledGraph {
  typealias Rows = [String: [[String: SQLiteValue]]]

  /// Returns the rows of the graph in a store, by table, in the order of their keys.
  func rows() -> Rows {
    var rows: Rows = [:]
    for object in entities.indices {
      guard let place = layout.entity(named: entities[object]) else { continue }
      var row: [String: SQLiteValue] = [:]
      for column in layout.table(named: place.table)?.columns ?? [] { row[column.name] = .null }
      row["Z_PK"] = .integer(keys[object])
      row["Z_ENT"] = .integer(place.number)
      row["Z_OPT"] = .integer(1)
      row["ZNUMBER"] = .integer(Int64(object))
      for (name, column) in place.toOne {
        guard let target = toOne[qualified(name, of: place.name)]?[object] else { continue }
        row[column.column] = .integer(keys[target])
        if let entity = column.entityColumn { row[entity] = number(of: target) }
        if let order = column.orderColumn { row[order] = .integer(2048 + 1024 * Int64(object)) }
      }
      for (name, owners) in hidden {
        guard let owner = owners[object], case .column(let key)? = toMany(name) else { continue }
        row[key.column] = .integer(keys[owner])
        if let order = key.orderColumn { row[order] = .integer(2048 + 1024 * Int64(object)) }
      }
      rows[place.table, default: []].append(row)
    }
    for (name, members) in pairs {
      guard case .joinTable(let join)? = toMany(name) else { continue }
      for pair in members {
        let columns = layout.joinTables.first { $0.name == join.table }?.columns ?? []
        var row: [String: SQLiteValue] = [:]
        for column in columns { row[column.name] = .integer(2048) }
        row[join.sourceColumn] = .integer(keys[pair.owner])
        row[join.destinationColumn] = .integer(keys[pair.member])
        if rows[join.table]?.contains(row) != true { rows[join.table, default: []].append(row) }
      }
    }
    return rows
  }

  func qualified(_ relationship: String, of entity: String) -> String {
    guard let found = model.entity(named: entity),
      let (_, owner) = model.property(named: relationship, of: found)
    else { return "" }
    return "\(owner.name).\(relationship)"
  }

  func toMany(_ name: String) -> ToManyLayout? {
    let parts = name.split(separator: ".").map(String.init)
    return layout.entity(named: parts[0])?.toMany[parts[1]]
  }

  func number(of object: Object) -> SQLiteValue {
    .integer(layout.entity(named: entities[object])?.number ?? 0)
  }

  func insert(into connection: Connection) throws {
    for statement in layout.statements { try connection.define(statement) }
    try insertRows(into: connection)
  }

  /// Inserts the rows into existing tables.
  func insertRows(into connection: Connection) throws {
    for (table, rows) in rows() {
      for row in rows {
        let sorted = row.sorted { $0.key < $1.key }
        try connection.run(
          """
          INSERT INTO \(name: table) (\(sorted.map { SQL.name($0.key) }.joined(", "))) \
          VALUES (\(sorted.map { SQL.value($0.value) }.joined(", ")))
          """)
      }
    }
  }

  /// Returns the contents of the layout's tables, one line for each row.
  func lines(in connection: Connection) throws -> [String] {
    let tables =
      layout.tables.map { ($0.name, $0.columns) } + layout.joinTables.map { ($0.name, $0.columns) }
    return try tables.flatMap { table, columns -> [String] in
      let names = columns.map(\.name).sorted()
      return try connection.rows("SELECT \(names.map(SQL.name).joined(", ")) FROM \(name: table)")
        .map { Self.line(table, Dictionary(uniqueKeysWithValues: zip(names, $0))) }
    }.sorted()
  }

  static func lines(_ rows: Rows) -> [String] {
    rows.flatMap { table, rows in rows.map { line(table, $0) } }.sorted()
  }

  private static func line(_ table: String, _ row: [String: SQLiteValue]) -> String {
    table + row.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value.shown)" }.joined()
  }
}
