package import SQLiteAccess
package import StoreLayout
import StoreModel
import TestSupport

extension RandomGraph {
  /// The graph as NDJSON for `import`.
  ///
  /// - Parameters:
  ///   - order: the order of the records.
  ///   - isOneSided: whether only one side of a pair of relationships is written: the ordered side, or otherwise the
  ///     first one.
  package func ndjson(order: [Int], isOneSided: Bool = false) -> String {
    order.map { "{\(members(of: objects[$0], isOneSided).joined(separator: ","))}\n" }.joined()
  }

  /// The relationships that the other side determines.
  private static let implied: Set<String> = [
    "Passport.holder", "Thing.owner", "Thing.parent", "Gadget.owner", "Gadget.parent",
    "Thing.likedBy", "Gadget.likedBy", "Tag.things", "Tag.rankedBy",
  ]

  private func members(of object: Object, _ isOneSided: Bool) -> [String] {
    func text(_ index: Int) -> String { "\"#\(objects[index].key)\"" }
    func isWritten(_ name: String) -> Bool {
      !isOneSided || !Self.implied.contains("\(object.entity).\(name)")
    }
    var members = ["\"$entity\":\"\(object.entity)\"", "\"$id\":\"#\(object.key)\""]
    for (name, value) in object.values.sorted(by: { $0.key < $1.key }) {
      members.append("\"\(name)\":\(value?.json ?? "null")")
    }
    for (name, index) in object.toOne.sorted(by: { $0.key < $1.key }) where isWritten(name) {
      members.append("\"\(name)\":\(text(index))")
    }
    for (name, list) in object.toMany.sorted(by: { $0.key < $1.key }) where isWritten(name) {
      members.append("\"\(name)\":[\(list.map(text).joined(separator: ","))]")
    }
    return members
  }

  /// Writes the graph by plain SQL, in the state that Core Data would create.
  package func insert(into connection: Connection, _ layout: StoreLayout) throws {
    let keys = primaryKeys(in: layout)
    var highest: [String: Int64] = [:]
    func number(_ index: Int) -> Int64 {
      layout.entity(named: objects[index].entity)?.number ?? 0
    }
    for (index, object) in objects.enumerated() {
      guard let entity = layout.entity(named: object.entity) else { continue }
      let key = keys[index]
      highest[entity.root] = key
      var row: [String: SQLiteValue] = [
        "Z_PK": .integer(key), "Z_ENT": .integer(entity.number), "Z_OPT": .integer(1),
      ]
      for (name, value) in object.values {
        if let column = entity.attributes[name]?.column { row[column] = value?.stored ?? .null }
      }
      for (name, target) in object.toOne {
        guard let column = entity.toOne[name] else { continue }
        row[column.column] = .integer(keys[target])
        if let entityColumn = column.entityColumn { row[entityColumn] = .integer(number(target)) }
      }
      try connection.run(
        """
        INSERT INTO \(name: entity.table) (\(row.keys.sorted().map(SQL.name).joined(", "))) VALUES \
        (\(row.sorted { $0.key < $1.key }.map { SQL.value($0.value) }.joined(", ")))
        """)
    }
    for (index, object) in objects.enumerated() {
      guard let entity = layout.entity(named: object.entity) else { continue }
      for (name, members) in object.toMany {
        guard let toMany = entity.toMany[name] else { continue }
        for (place, member) in members.enumerated() {
          try join(
            toMany, keys[index], to: keys[member], at: 2048 + 1024 * Int64(place), connection)
        }
      }
    }
    for (root, key) in highest {
      try connection.run(
        """
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(value: .integer(key)) WHERE Z_NAME = \
        \(value: .text(root))
        """)
    }
  }

  private func join(
    _ toMany: ToManyLayout, _ owner: Int64, to member: Int64, at place: Int64,
    _ connection: Connection
  ) throws {
    switch toMany {
    case .column(let key):
      try connection.run(
        """
        UPDATE \(name: key.table) SET \(name: key.column) = \(value: .integer(owner)) \
        WHERE Z_PK = \(value: .integer(member))
        """)
      guard let order = key.orderColumn else { return }
      try connection.run(
        """
        UPDATE \(name: key.table) SET \(name: order) = \(value: .integer(place)) \
        WHERE Z_PK = \(value: .integer(member))
        """)
    case .joinTable(let join):
      try connection.run(
        """
        INSERT OR IGNORE INTO \(name: join.table) \
        (\(name: join.sourceColumn), \(name: join.destinationColumn)) \
        VALUES (\(value: .integer(owner)), \(value: .integer(member)))
        """)
      guard let order = join.orderColumn else { return }
      try connection.run(
        """
        UPDATE \(name: join.table) SET \(name: order) = \(value: .integer(place)) \
        WHERE \(name: join.sourceColumn) = \(value: .integer(owner)) \
        AND \(name: join.destinationColumn) = \(value: .integer(member))
        """)
    }
  }
}
