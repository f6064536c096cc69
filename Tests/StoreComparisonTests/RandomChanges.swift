import Foundation
import SampleData
import SeededRandom
import SQLiteAccess
import StoreLayout
import StoreTestSupport
import StoreCore

/// Changes rows of a store by plain SQL, also in ways in which programs wouldn't: any value in any column, missing
/// partners, and rows of another entity.
struct RandomChanges {
  private var generator: SeededGenerator
  private let store: GraphStore
  private var fresh = 0
  /// Whether rows can become rows of another entity, and partners can be lost.
  private let isWild: Bool

  init(_ store: GraphStore, seed: UInt64, isWild: Bool) {
    self.store = store
    self.isWild = isWild
    generator = SeededGenerator(seed: seed &+ 77)
  }

  mutating func make(_ count: Int) throws {
    for _ in 0..<count {
      let concrete = store.layout.entities.filter { !$0.isAbstract }
      let entity = generator.pick(concrete)
      switch generator.below(isWild ? 10 : 8) {
      case 0...2: try changeAttribute(of: entity)
      case 3: try changeToOne(of: entity)
      case 4, 5: try changeToMany(of: entity)
      case 6: try insert(entity)
      case 7: try moveLargeValue(of: entity)
      case 8: try delete(entity)
      default: try changeEntity(entity)
      }
    }
  }

  private mutating func key(of entity: EntityLayout) throws -> Int64? {
    let keys = try store.store.read { connection in
      try connection.rows(
        """
        SELECT Z_PK FROM \(name: entity.table) WHERE Z_ENT = \(value: .integer(entity.number))
        """)
    }.compactMap { $0[0].integer }
    return keys.isEmpty ? nil : generator.pick(keys)
  }

  private func set(_ column: String, _ value: SQL, in table: String, _ key: Int64) throws {
    try store.store.write {
      _ = try $0.run(
        """
        UPDATE \(name: table) SET \(name: column) = \(value) WHERE Z_PK = \(value: .integer(key))
        """)
    }
  }

  private mutating func changeAttribute(of entity: EntityLayout) throws {
    let names = entity.attributes.keys.sorted().filter { $0 != "key" || isWild }
    guard let key = try key(of: entity), !names.isEmpty else { return }
    let name = generator.pick(names)
    guard let column = entity.attributes[name]?.column else { return }
    let others: SQL =
      "(SELECT \(name: column) FROM \(name: entity.table) ORDER BY Z_PK * \(value: .integer(Int64(generator.below(1000)))) % 7 LIMIT 1)"
    let value = generator.below(3) == 0 ? "NULL" : others
    try set(column, value, in: entity.table, key)
  }

  private mutating func changeToOne(of entity: EntityLayout) throws {
    guard let key = try key(of: entity),
      let name = entity.toOne.keys.sorted().randomElement(using: &generator),
      let toOne = entity.toOne[name],
      let destination = store.layout.entity(named: toOne.destination)
    else { return }
    let members = destination.subtree.compactMap { store.layout.entity(numbered: $0) }
    let partner = generator.pick(members)
    let target = generator.below(4) == 0 ? nil : try self.key(of: partner)
    try set(toOne.column, target.map { .value(.integer($0)) } ?? "NULL", in: entity.table, key)
    if let column = toOne.entityColumn {
      try set(
        column, target == nil ? "NULL" : .value(.integer(partner.number)), in: entity.table, key)
    }
  }

  private mutating func changeToMany(of entity: EntityLayout) throws {
    guard let owner = try key(of: entity),
      let name = entity.toMany.keys.sorted().randomElement(using: &generator),
      let toMany = entity.toMany[name],
      let destination = store.layout.entity(named: toMany.destination)
    else { return }
    let members = destination.subtree.compactMap { store.layout.entity(numbered: $0) }
    guard let member = try key(of: generator.pick(members)) else { return }
    let place = Int64(generator.below(1 << 14))
    switch toMany {
    case .column(let foreign):
      try set(foreign.column, .value(.integer(owner)), in: foreign.table, member)
      if let order = foreign.orderColumn {
        try set(order, .value(.integer(place)), in: foreign.table, member)
      }
    case .joinTable(let join):
      let pair: SQL = """
        \(name: join.sourceColumn) = \(value: .integer(owner)) \
        AND \(name: join.destinationColumn) = \(value: .integer(member))
        """
      let isRemoved = generator.below(2) == 0
      try store.store.write { connection in
        if isRemoved {
          try connection.run("DELETE FROM \(name: join.table) WHERE \(pair)")
        } else {
          try connection.run(
            """
            INSERT OR IGNORE INTO \(name: join.table) \
            (\(name: join.sourceColumn), \(name: join.destinationColumn)) \
            VALUES (\(value: .integer(owner)), \(value: .integer(member)))
            """)
        }
        guard let order = join.orderColumn else { return }
        try connection.run(
          """
          UPDATE \(name: join.table) SET \(name: order) = \(value: .integer(place)) WHERE \(pair)
          """)
      }
    }
  }

  private mutating func insert(_ entity: EntityLayout) throws {
    guard let column = entity.attributes["key"]?.column else { return }
    fresh += 1
    let name = "fresh \(fresh) \(generator.below(1000))"
    try store.store.write { connection in
      _ = try connection.run(
        """
        INSERT INTO \(name: entity.table) (Z_PK, Z_ENT, Z_OPT, \(name: column)) \
        SELECT ifnull(max(Z_PK), 0) + 1, \(value: .integer(entity.number)), 1, \
        \(value: .text(name)) FROM \(name: entity.table)
        """)
    }
  }

  /// Moves a value into a file, which isn't a change, or changes the content of a file.
  private mutating func moveLargeValue(of entity: EntityLayout) throws {
    guard let column = entity.attributes["photo"]?.column, let key = try key(of: entity) else {
      return
    }
    let stored = try store.store.read { connection in
      try connection.rows(
        "SELECT \(name: column) FROM \(name: entity.table) WHERE Z_PK = \(value: .integer(key))")
    }
    guard case .blob(let bytes)? = stored.first?.first, bytes.first == ExternalValue.inlineMark
    else { return }
    let folder = URL(fileURLWithPath: "\(store.store.externalDataFolder)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let name = UUID().uuidString
    let isChanged = generator.below(3) == 0
    let content = Data(bytes.dropFirst()) + (isChanged ? Data([7]) : Data())
    try content.write(to: folder.appendingPathComponent(name))
    try set(
      column, .value(.blob([ExternalValue.fileMark] + Array(name.utf8) + [0])), in: entity.table,
      key)
  }

  private mutating func delete(_ entity: EntityLayout) throws {
    guard let key = try key(of: entity) else { return }
    try store.store.write {
      _ = try $0.run("DELETE FROM \(name: entity.table) WHERE Z_PK = \(value: .integer(key))")
    }
  }

  private mutating func changeEntity(_ entity: EntityLayout) throws {
    let others = store.layout.entities.filter { $0.table == entity.table && !$0.isAbstract }
    guard let key = try key(of: entity) else { return }
    try set("Z_ENT", .value(.integer(generator.pick(others).number)), in: entity.table, key)
  }
}
