import PredicateSQL
import SampleData
import SQLiteAccess
import StoreLayout
import StoreModel
import StorePredicate
import TestSupport

/// A dataset of the conformance cases as a store in memory.
struct DatasetStore {
  private let dataset: Dataset
  private let layout: StoreLayout
  private let database: MemoryDatabase

  init(_ dataset: Dataset) throws {
    self.dataset = dataset
    layout = StoreLayout(model: DataModel(of: dataset))
    database = try MemoryDatabase()
    try database.inside { connection in
      for statement in layout.statements { try connection.define(statement) }
      let objects = layout.entities.flatMap { dataset.ownObjects(of: $0.name) }
      for object in objects { try insert(object, connection) }
      for object in objects { try link(object, connection) }
    }
  }

  /// Returns the names of the rows that a fetch finds.
  func names(_ predicate: FormatPredicate, of entity: String) throws -> [String] {
    let request = StoreFetchRequest(entity: entity, predicate: predicate, result: .objectIDs)
    let query = try request.sql(in: layout)
    let objects = dataset.subtree(of: entity).flatMap(dataset.ownObjects)
    let names = Dictionary(
      uniqueKeysWithValues: objects.map { ($0.objectID?.primaryKey, $0.name) })
    return try database.inside { connection in
      try connection.rows(query.sql).map { row in
        guard case .integer(let key) = row[0] else { return "?" }
        return names[key] ?? "?"
      }
    }
  }

  // MARK: Rows

  private func insert(_ object: DatasetObject, _ connection: Connection) throws {
    guard let entity = layout.entity(named: object.entity), let id = object.objectID else { return }
    var columns: [SQL] = ["Z_PK", "Z_ENT", "Z_OPT"]
    var cells: [SQL] = [.number(id.primaryKey), .number(entity.number), .number(1)]
    for (name, attribute) in entity.attributes {
      columns.append(.name(attribute.column))
      cells.append(.value(Self.stored(object.value(forKey: name), as: attribute.type)))
    }
    for (name, toOne) in entity.toOne {
      guard case .object(let other)? = object.value(forKey: name), let id = other.objectID else {
        continue
      }
      columns.append(.name(toOne.column))
      cells.append(.number(id.primaryKey))
      guard let column = toOne.entityColumn, let number = layout.entity(named: id.entity)?.number
      else { continue }
      columns.append(.name(column))
      cells.append(.number(number))
    }
    try connection.run(
      "INSERT INTO \(name: entity.table) (\(columns.joined(", "))) VALUES (\(cells.joined(", ")))")
  }

  private static func stored(_ value: EvaluatedValue?, as type: AttributeType) -> SQLiteValue {
    switch value {
    case nil: return .null
    case .value(let value)?:
      if type == .float, case .double(let number) = value { return .real(Double(Float(number))) }
      return SQLiteValue(value)
    // Apps archive these values, and predicates can't read them.
    case .list?, .set?, .dictionary?, .object?: return .blob([0])
    }
  }

  private func link(_ object: DatasetObject, _ connection: Connection) throws {
    guard let entity = layout.entity(named: object.entity), let owner = object.objectID else {
      return
    }
    for (name, members) in entity.toMany {
      for (place, member) in (object.value(forKey: name)?.members ?? []).enumerated() {
        guard case .object(let other) = member, let id = other.objectID else { continue }
        try link(members, owner.primaryKey, id.primaryKey, place: Int64(place), connection)
      }
    }
  }

  private func link(
    _ members: ToManyLayout, _ owner: Int64, _ member: Int64, place: Int64, _ connection: Connection
  ) throws {
    switch members {
    case .column(let key):
      var cells: SQL = "\(name: key.column) = \(.number(owner))"
      if let order = key.orderColumn { cells += ", \(name: order) = \(.number(place))" }
      try connection.run(
        "UPDATE \(name: key.table) SET \(cells) WHERE Z_PK = \(.number(member))")
    case .joinTable(let join):
      // Both sides of the relationship list the pair.
      try connection.run(
        "INSERT OR IGNORE INTO \(name: join.table) (\(name: join.sourceColumn), \(name: join.destinationColumn)) VALUES (\(.number(owner)), \(.number(member)))"
      )
      guard let order = join.orderColumn else { return }
      try connection.run(
        "UPDATE \(name: join.table) SET \(name: order) = \(.number(place)) WHERE \(name: join.sourceColumn) = \(.number(owner)) AND \(name: join.destinationColumn) = \(.number(member))"
      )
    }
  }
}

extension DataModel {
  /// The model that a dataset describes.
  fileprivate init(of dataset: Dataset) {
    let entities = dataset.entities.map { name, entity in
      EntityDescription(
        name: name, parent: entity.parent,
        attributes: entity.attributes.map { name, type in
          AttributeDescription(name: name, type: AttributeType(ofDataset: type), isOptional: true)
        },
        relationships: entity.relationships.map { name, relationship in
          RelationshipDescription(
            name: name, destination: relationship.dest, inverse: relationship.inverse,
            cardinality: relationship.toMany
              ? .toMany(ordered: relationship.ordered ?? false) : .toOne,
            isOptional: true)
        })
    }
    self.init(name: "Dataset", entities: entities)
  }
}

extension AttributeType {
  /// Parses the dataset's name of a type, which ends in `?` if a value may be missing.
  fileprivate init(ofDataset word: String) {
    let types: [String: AttributeType] = [
      "string": .string, "int": .integer32, "int64": .integer64, "bool": .boolean,
      "float": .float, "double": .double, "decimal": .decimal, "date": .date, "data": .binary,
      "transformable": .transformable,
    ]
    self = types[word.filter { $0 != "?" }] ?? .undefined
  }
}
