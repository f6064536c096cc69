extension ImportLinks {
  /// Writes the to-one relationships into their owners' rows.
  func writeToOne(in layout: StoreLayout, on connection: Connection) throws(StoreError) {
    for (number, kind) in kinds.enumerated() {
      guard let owner = layout.entity(named: kind.entity),
        let column = owner.toOne[kind.relationship]
      else { continue }
      var assignments: [SQL] = ["\(name: column.column) = l.target"]
      if let entityColumn = column.entityColumn {
        assignments.append("\(name: entityColumn) = l.entity")
      }
      try connection.run(
        """
        UPDATE \(name: owner.table) SET \(assignments.joined(", ")) \
        FROM temp.import_link AS l WHERE l.kind = \(value: .integer(Int64(number))) \
        AND \(name: owner.table).\(name: FixedColumn.primaryKey) = l.owner
        """)
    }
  }

  /// Writes the to-many relationships: into their members' rows, or into join tables.
  func writeToMany(in layout: StoreLayout, on connection: Connection) throws(StoreError) {
    for (number, kind) in kinds.enumerated() {
      guard let owner = layout.entity(named: kind.entity),
        let toMany = owner.toMany[kind.relationship]
      else { continue }
      switch toMany {
      case .column(let key):
        try connection.run(Self.claimMembers(of: owner, in: key, Int64(number)))
      case .joinTable(let join):
        for statement in Self.pairs(in: join, Int64(number)) { try connection.run(statement) }
      }
    }
    for join in layout.orderedJoins { try connection.run(Self.orderRest(of: join)) }
  }

  /// Core Data leaves 1024 between neighbours of an ordered relationship, from 2048 on.
  private static let place: SQL = "2048 + 1024 * l.position"

  /// The members' rows name their owner.
  private static func claimMembers(
    of owner: EntityLayout, in key: ToManyLayout.ForeignKey, _ number: Int64
  ) -> SQL {
    var assignments: [SQL] = ["\(name: key.column) = l.owner"]
    if let column = key.entityColumn {
      assignments.append("\(name: column) = \(value: .integer(owner.number))")
    }
    if let column = key.orderColumn { assignments.append("\(name: column) = \(place)") }
    return """
      UPDATE \(name: key.table) SET \(assignments.joined(", ")) \
      FROM temp.import_link AS l WHERE l.kind = \(value: .integer(number)) \
      AND \(name: key.table).\(name: FixedColumn.primaryKey) = l.target
      """
  }

  /// Both sides of a many-to-many may name the same pair; it is written once, and each side gives
  /// it a place in its own order.
  private static func pairs(in join: ToManyLayout.Join, _ number: Int64) -> [SQL] {
    var statements: [SQL] = [
      """
      INSERT OR IGNORE INTO \(name: join.table) \
      (\(name: join.sourceColumn), \(name: join.destinationColumn)) \
      SELECT owner, target FROM temp.import_link WHERE kind = \(value: .integer(number))
      """
    ]
    if let order = join.orderColumn {
      statements.append(
        """
        UPDATE \(name: join.table) SET \(name: order) = \(place) \
        FROM temp.import_link AS l WHERE l.kind = \(value: .integer(number)) \
        AND \(name: join.table).\(name: join.sourceColumn) = l.owner \
        AND \(name: join.table).\(name: join.destinationColumn) = l.target
        """)
    }
    return statements
  }

  /// Pairs that only the other side has named stand behind the others.
  private static func orderRest(of join: OrderedJoin) -> SQL {
    """
    WITH rest AS (SELECT rowid AS id, 1024 * row_number() OVER \
    (PARTITION BY \(name: join.source) ORDER BY \(name: join.destination)) + \
    coalesce((SELECT max(o.\(name: join.order)) FROM \(name: join.table) AS o \
    WHERE o.\(name: join.source) = j.\(name: join.source)), 1024) AS place \
    FROM \(name: join.table) AS j WHERE j.\(name: join.order) IS NULL) \
    UPDATE \(name: join.table) SET \(name: join.order) = rest.place FROM rest \
    WHERE \(name: join.table).rowid = rest.id
    """
  }
}

/// One ordered direction of a many-to-many relationship.
private struct OrderedJoin: Hashable {
  var table: String
  var source: String
  var destination: String
  var order: String
}

extension StoreLayout {
  fileprivate var orderedJoins: Set<OrderedJoin> {
    Set(
      entities.flatMap(\.toMany.values).compactMap { toMany in
        guard case .joinTable(let join) = toMany, let order = join.orderColumn else { return nil }
        return OrderedJoin(
          table: join.table, source: join.sourceColumn, destination: join.destinationColumn,
          order: order)
      })
  }
}
