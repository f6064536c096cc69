import StoreEngine
package import SQLiteAccess
package import StoreLayout
import StoreSQL
import StoreModel
import StorePredicate

/// Rows for every entity of a model, with values in every attribute and destinations in every
/// relationship, that satisfy what the model demands: what migrations are tried on.
package struct SampleRows {
  let layout: StoreLayout
  /// How many rows each concrete entity gets.
  let count: Int
  private let demands: SampleDemands
  private var random: SampleRandom
  /// By table and key.
  private var rows: [String: [Int64: [String: SQLiteValue]]] = [:]
  private var keys: [String: [Int64]] = [:]
  /// The highest of each table.
  private var lastKeys: [String: Int64] = [:]
  private var pairs: [String: [[String: SQLiteValue]]] = [:]

  package init(_ layout: StoreLayout, count: Int, seed: UInt64) {
    self.init(layout, count: count, seed: seed, demands: .none)
  }

  /// - Parameter demands: what the rows satisfy beside what the model demands.
  init(_ layout: StoreLayout, count: Int, seed: UInt64, demands: SampleDemands) {
    self.layout = layout
    self.count = count
    self.demands = demands
    random = SampleRandom(seed: seed)
    for entity in concrete { addRows(of: entity) }
    for entity in concrete { addValues(of: entity) }
    for entity in layout.entities { addRelationships(declaredBy: entity) }
  }

  /// Writes the rows into an empty store of the layout.
  ///
  /// - Throws: `DatabaseError`
  package func write(to connection: Connection) throws {
    for (table, rows) in rows.sorted(by: { $0.key < $1.key }) {
      for (_, row) in rows.sorted(by: { $0.key < $1.key }) {
        try insert(row, into: table, connection)
      }
    }
    for (table, pairs) in pairs.sorted(by: { $0.key < $1.key }) {
      for pair in pairs { try insert(pair, into: table, connection) }
    }
    for table in layout.tables {
      guard let root = layout.entity(named: table.root) else { continue }
      try connection.run(
        """
        UPDATE \(name: FixedTable.primaryKeys) SET \(name: FixedColumn.highestKey) = \
        (SELECT coalesce(max(\(name: FixedColumn.primaryKey)), 0) FROM \(name: table.name)) \
        WHERE \(name: FixedColumn.entity) = \(.integer(root.number))
        """)
    }
  }

  private func insert(
    _ row: [String: SQLiteValue], into table: String, _ connection: Connection
  ) throws {
    let cells = row.sorted { $0.key < $1.key }
    let names = cells.map { SQL.name($0.key) }.joined(", ")
    let values = cells.map { SQL.value($0.value) }.joined(", ")
    try connection.run("INSERT INTO \(name: table) (\(names)) VALUES (\(values))")
  }

  /// How many rows there are, of all entities.
  var total: Int { rows.values.reduce(0) { $0 + $1.count } }

  private var concrete: [EntityLayout] { layout.entities.filter { !$0.isAbstract } }

  // MARK: Rows and attributes

  private mutating func addRows(of entity: EntityLayout) {
    for _ in 0..<count {
      // Gaps, as deleted rows leave them.
      let key = lastKeys[entity.table, default: 0] + (random.oneIn(4) ? 2 : 1)
      lastKeys[entity.table] = key
      rows[entity.table, default: [:]][key] = [
        FixedColumn.primaryKey: .integer(key), FixedColumn.entity: .integer(entity.number),
        FixedColumn.version: .integer(Int64.random(in: 1...3, using: &random)),
      ]
      keys[entity.name, default: []].append(key)
    }
  }

  private mutating func addValues(of entity: EntityLayout) {
    guard let model = layout.model.entity(named: entity.name) else { return }
    let unique = layout.model.uniqueProperties(of: entity.name)
    for attribute in layout.model.storedAttributes(of: model) where attribute.derivation == nil {
      guard let column = entity.attributes[attribute.name] else { continue }
      let demand = demands[entity.name, attribute.name]
      let isUnique = demand.isUnique || unique.contains(attribute.name)
      for key in keys[entity.name, default: []] {
        let isNull = attribute.isOptional && !demand.isRequired && random.oneIn(4)
        let value =
          isUnique
          ? SampleValue.unique(attribute, number: key * 31 + entity.number, as: demand.type)
          : isNull ? .null : SampleValue.random(attribute, as: demand.type, using: &random)
        rows[entity.table]?[key]?[column.column] = column.stored(default: value)
      }
    }
  }

  // MARK: Relationships

  private mutating func addRelationships(declaredBy owner: EntityLayout) {
    guard let model = layout.model.entity(named: owner.name) else { return }
    for relationship in model.relationships where !relationship.isTransient {
      let inverse = layout.model.sharedInverse(of: relationship, declaredBy: model)
      if let toOne = owner.toOne[relationship.name] {
        let isFirst = inverse.map {
          ($0.declaredBy.name, $0.0.name) >= (owner.name, relationship.name)
        }
        if let inverse, !inverse.0.isToMany {
          if isFirst == true { addOneToOne(relationship, toOne, owner, inverse.0) }
        } else {
          addToOnes(relationship, toOne, owner)
        }
      } else if case .joinTable(let join)? = owner.toMany[relationship.name] {
        addPairs(join, owner, inverse?.0)
      } else if case .column(let key)? = owner.toMany[relationship.name], inverse == nil {
        addHiddenKeys(key, owner)
      }
    }
  }

  private func members(of entity: EntityLayout) -> [(entity: EntityLayout, key: Int64)] {
    entity.subtree.compactMap(layout.entity(numbered:)).filter { !$0.isAbstract }
      .flatMap { entity in keys[entity.name, default: []].map { (entity, $0) } }
  }

  private func destinations(_ name: String) -> [(entity: EntityLayout, key: Int64)] {
    layout.entity(named: name).map(members) ?? []
  }

  private mutating func addToOnes(
    _ relationship: Relationship, _ toOne: ToOneColumn, _ owner: EntityLayout
  ) {
    let destinations = destinations(toOne.destination)
    var places: [Int64: Int64] = [:]
    for member in members(of: owner) {
      let isDemanded = demands[member.entity.name, relationship.name].isRequired
      let isNull = relationship.isOptional && random.oneIn(3) && !isDemanded
      guard !isNull, let found = destinations.randomElement(using: &random) else { continue }
      set(toOne, of: member, to: found)
      if let order = toOne.orderColumn {
        let place = places[found.key, default: 0]
        places[found.key] = place + 1
        rows[member.entity.table]?[member.key]?[order] = .integer(OrderPlaces.place(at: place))
      }
    }
  }

  private mutating func set(
    _ toOne: ToOneColumn, of row: (entity: EntityLayout, key: Int64),
    to destination: (entity: EntityLayout, key: Int64)
  ) {
    rows[row.entity.table]?[row.key]?[toOne.column] = .integer(destination.key)
    if let column = toOne.entityColumn {
      rows[row.entity.table]?[row.key]?[column] = .integer(destination.entity.number)
    }
  }

  private mutating func addOneToOne(
    _ relationship: Relationship, _ toOne: ToOneColumn, _ owner: EntityLayout,
    _ inverse: Relationship
  ) {
    var free = destinations(toOne.destination)
    for member in members(of: owner) {
      let isSelf = inverse.name == relationship.name
      guard let index = free.indices.randomElement(using: &random) else { return }
      let partner = free[index]
      guard let back = partner.entity.toOne[inverse.name] else { continue }
      if isSelf {
        free.removeAll { $0.key == member.key || $0.key == partner.key }
        guard rows[member.entity.table]?[member.key]?[toOne.column] == nil else { continue }
      } else {
        free.remove(at: index)
      }
      set(toOne, of: member, to: partner)
      set(back, of: partner, to: member)
    }
  }

  private mutating func addHiddenKeys(_ key: ToManyLayout.ForeignKey, _ owner: EntityLayout) {
    let owners = members(of: owner)
    var places: [Int64: Int64] = [:]
    for member in destinations(key.destination) where !random.oneIn(3) {
      guard let found = owners.randomElement(using: &random) else { return }
      rows[member.entity.table]?[member.key]?[key.column] = .integer(found.key)
      if let order = key.orderColumn {
        let place = places[found.key, default: 0]
        places[found.key] = place + 1
        rows[member.entity.table]?[member.key]?[order] = .integer(OrderPlaces.place(at: place))
      }
    }
  }

  private mutating func addPairs(
    _ join: ToManyLayout.Join, _ owner: EntityLayout, _ inverse: Relationship?
  ) {
    // The other side comes by here, too.
    guard pairs[join.table] == nil else { return }
    let members = destinations(join.destination)
    let backOrder: String? =
      if case .joinTable(let back)? = inverse.flatMap({
        layout.entity(named: join.destination)?.toMany[$0.name]
      }) { back.orderColumn } else { nil }
    var found: [[String: SQLiteValue]] = []
    var backPlaces: [Int64: Int64] = [:]
    for row in self.members(of: owner) {
      let chosen = members.filter { _ in random.oneIn(max(2, members.count / 3)) }.map(\.key)
      for (place, member) in Set(chosen).sorted().enumerated() {
        var pair: [String: SQLiteValue] = [
          join.sourceColumn: .integer(row.key), join.destinationColumn: .integer(member),
        ]
        if let order = join.orderColumn {
          pair[order] = .integer(OrderPlaces.place(at: Int64(place)))
        }
        if let backOrder {
          let place = backPlaces[member, default: 0]
          backPlaces[member] = place + 1
          pair[backOrder] = .integer(OrderPlaces.place(at: place))
        }
        found.append(pair)
      }
    }
    pairs[join.table] = found
  }
}
