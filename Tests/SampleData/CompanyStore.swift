import PredicateSQL
package import SQLiteAccess
package import StoreLayout
package import StoreModel
package import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store in memory with a few people, for tests of queries.
///
/// It has inheritance over three levels in one table, to-one relationships with and without a value, to-many
/// relationships with and without an inverse, many-to-many relationships with and without members, and NULL in all
/// optional properties.
package struct CompanyStore {
  package static let uuid = "6F9619FF-8B86-4011-B42D-00CF4FC964FF"

  package let layout = StoreLayout(model: CompanyStore.model)
  private let database: MemoryDatabase

  package init() throws {
    database = try MemoryDatabase()
    try inside { connection in
      for statement in layout.statements { try connection.define(statement) }
      try fill(connection)
    }
  }

  package func inside<T>(_ body: (Connection) throws -> T) throws -> T { try database.inside(body) }

  // MARK: Rows

  private func fill(_ connection: Connection) throws {
    func add(_ entity: String, _ key: Int64, _ values: [String: DataValue]) throws {
      try insert(entity, key, values, connection)
    }
    try add("Department", 1, ["name": .string("Research"), "floor": .integer(3)])
    try add("Department", 2, ["name": .string("Sales")])
    try add("Department", 3, ["name": .string("empty"), "floor": .integer(1)])
    try add(
      "Manager", 1,
      [
        "name": .string("Ann"), "birthday": .date(-86400), "age": .integer(52),
        "salary": .integer(7), "rating": .double(Double(Float(0.1))), "isActive": .boolean(true),
        "badge": CompanyStore.badge, "photo": .binary([1, 1, 2, 3]), "level": .integer(2),
        "department": .integer(1),
      ])
    try add(
      "Employee", 2,
      [
        "name": .string("Bob"), "nickname": .string("Bobby"), "age": .integer(31),
        "salary": .double(2.5), "isActive": .boolean(false), "department": .integer(1),
        "mentor": .integer(1),
      ])
    try add(
      "Employee", 3,
      [
        "name": .string("Zoë"), "age": .integer(31), "department": .integer(2),
        "mentor": .integer(1),
      ])
    try add("Employee", 4, ["name": .string("zoe 50%_*"), "nickname": .string("ZOE")])
    try add("Guest", 5, ["name": .string("Guy"), "company": .string("Acme")])
    try add("Skill", 1, ["name": .string("Swift")])
    try add("Skill", 2, ["name": .string("SQL")])
    try add("Skill", 3, [:])
    try link(connection, "skills", of: [(1, 1), (1, 2), (2, 1), (3, 3)])
    try reverseOrders(connection)
    try add("Note", 1, ["text": .string("first")])
    try add("Note", 2, ["text": .string("second")])
    guard case .column(let notes)? = layout.entity(named: "Department")?.toMany["notes"] else {
      return
    }
    try connection.run(
      "UPDATE \(name: notes.table) SET \(name: notes.column) = \(value: .integer(1))")
  }

  /// The keys of ordered members decrease, so that another order isn't mistaken for theirs.
  private func reverseOrders(_ connection: Connection) throws {
    guard case .column(let employees)? = layout.entity(named: "Department")?.toMany["employees"],
      case .joinTable(let people)? = layout.entity(named: "Skill")?.toMany["people"],
      let place = employees.orderColumn, let rank = people.orderColumn
    else { return }
    try connection.run("UPDATE \(name: employees.table) SET \(name: place) = -Z_PK")
    try connection.run(
      "UPDATE \(name: people.table) SET \(name: rank) = -\(name: people.destinationColumn)")
  }

  package static let badge = DataValue.uuid(
    .init(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? .init())

  private func insert(
    _ name: String, _ key: Int64, _ values: [String: DataValue], _ connection: Connection
  ) throws {
    guard let entity = layout.entity(named: name) else { return }
    var columns: [SQL] = ["Z_PK", "Z_ENT", "Z_OPT"]
    var cells: [SQL] = [.number(key), .number(entity.number), .number(1)]
    for (property, value) in values {
      if let attribute = entity.attributes[property] {
        columns.append(.name(attribute.column))
        cells.append(.value(SQLiteValue(value)))
      } else if let toOne = entity.toOne[property] {
        columns.append(.name(toOne.column))
        cells.append(.value(SQLiteValue(value)))
        guard let number = toOne.entityColumn else { continue }
        columns.append(.name(number))
        cells.append(
          "(SELECT Z_ENT FROM \(name: layout.entity(named: toOne.destination)?.table ?? "") WHERE Z_PK = \(value: SQLiteValue(value)))"
        )
      }
    }
    try connection.run(
      "INSERT INTO \(name: entity.table) (\(columns.joined(", "))) VALUES (\(cells.joined(", ")))")
  }

  private func link(
    _ connection: Connection, _ relationship: String, of pairs: [(Int64, Int64)]
  ) throws {
    guard case .joinTable(let join)? = layout.entity(named: "Employee")?.toMany[relationship] else {
      return
    }
    for (owner, member) in pairs {
      try connection.run(
        "INSERT INTO \(name: join.table) (\(name: join.sourceColumn), \(name: join.destinationColumn)) VALUES (\(.number(owner)), \(.number(member)))"
      )
    }
  }

  // MARK: Model

  package static let model = DataModel(
    name: "Company",
    entities: [
      EntityDescription(
        name: "Person", isAbstract: true,
        attributes: [
          AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "nickname", type: .string),
          AttributeDescription(name: "birthday", type: .date),
        ]),
      EntityDescription(
        name: "Employee", parent: "Person",
        attributes: [
          AttributeDescription(name: "age", type: .integer32),
          AttributeDescription(name: "salary", type: .decimal),
          AttributeDescription(name: "rating", type: .float),
          AttributeDescription(name: "isActive", type: .boolean),
          AttributeDescription(name: "badge", type: .uuid),
          AttributeDescription(name: "photo", type: .binary, allowsExternalStorage: true),
        ],
        relationships: [
          RelationshipDescription(
            name: "department", destination: "Department", inverse: "employees"),
          RelationshipDescription(name: "mentor", destination: "Employee", inverse: "mentees"),
          SampleModels.toMany("mentees", "Employee", inverse: "mentor"),
          SampleModels.toMany("skills", "Skill", inverse: "people"),
        ],
        indexes: [FetchIndex(name: "byAge", elements: [.init(.property("age"))])]),
      EntityDescription(
        name: "Manager", parent: "Employee",
        attributes: [AttributeDescription(name: "level", type: .integer16)]
      ),
      EntityDescription(
        name: "Guest", parent: "Person",
        attributes: [AttributeDescription(name: "company", type: .string)]),
      EntityDescription(
        name: "Department",
        attributes: [
          AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "floor", type: .integer16),
        ],
        relationships: [
          SampleModels.toMany("employees", "Employee", inverse: "department", ordered: true),
          SampleModels.toMany("notes", "Note"),
        ]),
      EntityDescription(
        name: "Skill", attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [SampleModels.toMany("people", "Employee", inverse: "skills", ordered: true)]
      ),
      EntityDescription(
        name: "Note", attributes: [AttributeDescription(name: "text", type: .string)]),
    ])
}
