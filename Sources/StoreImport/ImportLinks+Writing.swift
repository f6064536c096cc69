import SQLiteAccess
import StoreCore
import StoreLayout
import StoreModel

extension ImportLinks {
  /// Writes the to-one relationships between new rows.
  func writeToOne(in layout: StoreLayout, on connection: Connection) throws(DatabaseError) {
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

  /// Writes the to-many relationships between new rows: to the rows of their members, or to join tables.
  func writeToMany(in layout: StoreLayout, on connection: Connection) throws(DatabaseError) {
    var ordered: [OrderedJoin] = []
    for (number, kind) in kinds.enumerated() {
      guard let owner = layout.entity(named: kind.entity),
        let toMany = owner.toMany[kind.relationship]
      else { continue }
      switch toMany {
      case .column(let key):
        try connection.run(Self.claimMembers(of: owner, in: key, Int64(number)))
      case .joinTable(let join):
        let isMutual = layout.model.isOwnInverse(kind)
        for statement in Self.pairs(in: join, isMutual: isMutual, Int64(number)) {
          try connection.run(statement)
        }
        for direction in layout.orderedDirections(of: join.table)
        where !ordered.contains(direction) {
          ordered.append(direction)
        }
      }
    }
    for direction in ordered { try connection.run(Self.orderRest(of: direction)) }
  }

  private static let place = OrderPlaces.place(at: "l.position")

  /// Sets the owner in the rows of members.
  private static func claimMembers(
    of owner: EntityLayout, in key: ToManyLayout.ForeignKey, _ number: Int64
  ) -> SQL {
    var assignments: [SQL] = ["\(name: key.column) = l.owner"]
    if let column = key.entityColumn {
      // The owner of a link can be a row of a subentity.
      assignments.append(
        """
        \(name: column) = (SELECT o.\(name: FixedColumn.entity) FROM \(name: owner.table) AS o \
        WHERE o.\(name: FixedColumn.primaryKey) = l.owner)
        """)
    }
    if let column = key.orderColumn { assignments.append("\(name: column) = \(place)") }
    return """
      UPDATE \(name: key.table) SET \(assignments.joined(", ")) \
      FROM temp.import_link AS l WHERE l.kind = \(value: .integer(number)) \
      AND \(name: key.table).\(name: FixedColumn.primaryKey) = l.target
      """
  }

  /// Returns the statements that insert the links of a many-to-many relationship. They ignore duplicates, because the
  /// records of both rows can contain the link. Only the list in an owner's record determines the order of its members.
  ///
  /// - Parameter isMutual: whether the relationship is its own inverse, so that each link has two directions.
  private static func pairs(
    in join: ToManyLayout.Join, isMutual: Bool, _ number: Int64
  ) -> [SQL] {
    func insertion(_ pair: SQL) -> SQL {
      """
      INSERT OR IGNORE INTO \(name: join.table) \
      (\(name: join.sourceColumn), \(name: join.destinationColumn)) \
      SELECT \(pair) FROM temp.import_link WHERE kind = \(value: .integer(number))
      """
    }
    var statements = [insertion("owner, target")]
    if isMutual { statements.append(insertion("target, owner")) }
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

  /// Returns the statement that adds a position to links that only the member's record contains. They follow the
  /// owner's links that already have a position.
  private static func orderRest(of direction: OrderedJoin) -> SQL {
    let (table, source) = (SQL.name(direction.table), SQL.name(direction.source))
    let order = SQL.name(direction.order)
    let number: SQL = """
      row_number() OVER (PARTITION BY j.\(source) ORDER BY j.\(name: direction.destination))
      """
    let place = OrderPlaces.place(ofNext: number, behind: "taken.place")
    return """
      WITH taken AS (SELECT \(source) AS owner, \(OrderPlaces.last(order)) AS place FROM \(table) GROUP BY 1), \
      rest AS (SELECT j.rowid AS id, \(place) AS place \
      FROM \(table) AS j JOIN taken ON taken.owner = j.\(source) WHERE j.\(order) IS NULL) \
      UPDATE \(table) SET \(order) = rest.place FROM rest WHERE \(table).rowid = rest.id
      """
  }
}

/// A direction of a many-to-many relationship in which the members of a row are ordered.
private struct OrderedJoin: Hashable {
  var table: String
  var source: String
  var destination: String
  var order: String
}

extension StoreLayout {
  /// The directions of a join table with ordered members, sorted so that the order of statements doesn't depend on hash
  /// values.
  fileprivate func orderedDirections(of table: String) -> [OrderedJoin] {
    let all = entities.flatMap(\.toMany.values).compactMap { toMany -> OrderedJoin? in
      guard case .joinTable(let join) = toMany, join.table == table,
        let order = join.orderColumn
      else { return nil }
      return OrderedJoin(
        table: join.table, source: join.sourceColumn, destination: join.destinationColumn,
        order: order)
    }
    return Set(all).sorted { $0.order < $1.order }
  }
}

extension DataModel {
  fileprivate func isOwnInverse(_ kind: ImportLinks.Kind) -> Bool {
    guard let entity = entity(named: kind.entity),
      case (.relationship(let relationship), let owner)? = property(
        named: kind.relationship, of: entity)
    else { return false }
    return relationship.inverse == relationship.name && relationship.destination == owner.name
  }
}

/// The existing rows that the input identifies or changes. They are counted, and the versions of changed rows are
/// incremented.
extension ImportLinks {
  enum Change: Int64 {
    case values = 0
    case links = 1
    /// Only a foreign key changed, which belongs to another row's to-many relationship without an inverse. No property
    /// of the row changed, so it isn't counted.
    case hidden = 2
  }

  /// - `import_changed`: the changed rows, once for each `Change`, including new rows.
  /// - `import_met`: the existing rows of objects in the input.
  static let changedTables: [(name: String, columns: SQL)] = [
    (
      "import_changed",
      "(entity INTEGER, k INTEGER, what INTEGER, PRIMARY KEY (entity, k, what)) WITHOUT ROWID"
    ),
    ("import_met", "(entity INTEGER, k INTEGER, PRIMARY KEY (entity, k)) WITHOUT ROWID"),
  ]

  /// - Parameter rows: a SELECT of `Z_ENT` and `Z_PK`.
  static func noting(_ change: Change, _ rows: SQL) -> SQL {
    """
    INSERT OR IGNORE INTO temp.import_changed \
    SELECT *, \(value: .integer(change.rawValue)) FROM (\(rows))
    """
  }

  /// - Parameter rows: a SELECT of `Z_ENT` and `Z_PK` of existing rows.
  static func notingMet(_ rows: SQL) -> SQL {
    "INSERT OR IGNORE INTO temp.import_met SELECT * FROM (\(rows))"
  }

  /// The numbers of existing rows by change. Each row is counted once.
  struct Counts {
    /// The numbers of rows with changed values, by entity.
    var updated: [String: Int] = [:]
    /// The numbers of rows of which only relationships changed, by entity.
    var relinked: [String: Int] = [:]
    /// The number of rows in the input that didn't change.
    var unchanged = 0
  }

  /// Increments the version of each changed existing row, and returns the numbers of existing rows by change. Must be
  /// called after all rows are written.
  func settleChanged(in layout: StoreLayout, keys: KeyAllocator) throws(DatabaseError) -> Counts {
    try forgetNewRows(in: layout, keys: keys)
    for table in layout.tables {
      let numbers = layout.entities(in: table.name).map(\.number)
      try connection.run(
        """
        UPDATE \(name: table.name) SET \(RowVersions.raising) \
        WHERE \(name: FixedColumn.primaryKey) IN \
        (SELECT k FROM temp.import_changed WHERE entity IN \(.list(numbers)))
        """)
    }
    let changed: SQL = """
      SELECT entity, min(what) AS what FROM temp.import_changed WHERE what < 2 GROUP BY entity, k
      """
    var counts = Counts()
    for row in try connection.rows(
      "SELECT entity, what, count(*) FROM (\(changed)) GROUP BY entity, what")
    {
      guard let number = row[0].integer, let count = row[2].integer,
        let entity = layout.entity(numbered: number)?.name
      else { continue }
      if row[1] == .integer(Change.values.rawValue) {
        counts.updated[entity] = Int(count)
      } else {
        counts.relinked[entity] = Int(count)
      }
    }
    counts.unchanged = Int(
      try connection.integer(
        """
        SELECT count(*) FROM temp.import_met AS m WHERE NOT EXISTS (SELECT 1 \
        FROM temp.import_changed AS c WHERE c.entity = m.entity AND c.k = m.k AND c.what < 2)
        """))
    return counts
  }

  /// Removes new rows from `import_changed`, because they are counted as inserted.
  private func forgetNewRows(in layout: StoreLayout, keys: KeyAllocator) throws(DatabaseError) {
    for entity in layout.entities {
      let last = keys.lastOldKey(of: entity, in: layout)
      guard last < .max else { continue }
      try connection.run(
        """
        DELETE FROM temp.import_changed WHERE entity = \(value: .integer(entity.number)) \
        AND k > \(value: .integer(last))
        """)
    }
  }
}

extension KeyAllocator {
  /// Returns the highest primary key before the import among all entities with the same root.
  func lastOldKey(of entity: EntityLayout, in layout: StoreLayout) -> Int64 {
    layout.entity(named: entity.root).map { lastOldKey(root: $0.number) } ?? .max
  }
}
