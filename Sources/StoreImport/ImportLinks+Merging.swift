import SQLiteAccess
import StoreEngine
import StoreLayout
import StoreSQL
import StoreModel

/// Links of objects that turned out to be the same, or to be rows of the store.
extension ImportLinks {
  /// Puts the rows in the place of the objects that became them.
  ///
  /// - Parameter same: a table of `k`, `row`, `entity`.
  func replace(_ same: SQL, of entity: EntityLayout) throws(DatabaseError) {
    let owned = kinds.indices.filter { kinds[$0].entity == entity.name }
      .map { SQL.value(.integer(Int64($0))) }
    try connection.run(
      """
      UPDATE temp.import_link SET owner = m.row FROM \(same) AS m \
      WHERE kind IN (\(owned.joined(", "))) AND import_link.owner = m.k AND m.row <> m.k
      """)
    for table: SQL in ["import_link", "import_id"] {
      try connection.run(
        """
        UPDATE temp.\(table) SET target = m.row, entity = m.entity FROM \(same) AS m \
        WHERE \(table).entity = \(value: .integer(entity.number)) \
        AND \(table).target = m.k AND m.row <> m.k
        """)
    }
  }

  /// Makes the links of each row agree, and leaves out those that the store has already; to be
  /// called when all targets are known.
  ///
  /// - Parameter merged: the entities whose objects may have become one.
  /// - Throws: `ImportError.contradiction`, `ImportError.linkOfOldRow`, `DatabaseError`.
  func settle(
    _ merged: Set<String>, in layout: StoreLayout, on policy: ConflictPolicy, keys: KeyAllocator,
    _ changes: ChangeRecorder
  ) throws {
    for (number, kind) in kinds.enumerated() where merged.contains(kind.entity) {
      guard let owner = layout.entity(named: kind.entity),
        let root = layout.entity(named: owner.root)
      else { continue }
      let links = OwnedLinks(
        kind: kind, number: Int64(number), owner: owner, layout: layout, policy: policy,
        lastOldKey: keys.lastOldKey(root: root.number), connection: connection)
      if let column = owner.toOne[kind.relationship] {
        try links.settle(column, changes)
      } else if let toMany = owner.toMany[kind.relationship] {
        try links.settle(toMany, changes)
      }
    }
  }
}

/// The links of one relationship.
private struct OwnedLinks {
  let kind: ImportLinks.Kind
  let number: Int64
  let owner: EntityLayout
  let layout: StoreLayout
  let policy: ConflictPolicy
  /// Owners up to it were there before.
  let lastOldKey: Int64
  let connection: Connection

  private var all: SQL { "kind = \(value: .integer(number))" }
  private var old: SQL { "\(all) AND owner <= \(value: .integer(lastOldKey))" }

  private func remove(_ condition: SQL) throws(DatabaseError) {
    try connection.run("DELETE FROM temp.import_link WHERE \(condition)")
  }

  private func firstReference(where condition: SQL) throws(DatabaseError) -> ImportError.Reference?
  {
    let found = try connection.rows(
      """
      SELECT record, reference FROM temp.import_link WHERE \(condition) ORDER BY record LIMIT 1
      """)
    return found.first.map { row in
      ImportError.Reference(
        relationship: "\(kind.entity).\(kind.relationship)", target: row[1].text ?? "",
        record: Int(row[0].integer ?? 0))
    }
  }

  private var inverse: Relationship? {
    guard let entity = layout.model.entity(named: kind.entity),
      case (.relationship(let relationship), _)? = layout.model.property(
        named: kind.relationship, of: entity)
    else { return nil }
    return layout.model.inverse(of: relationship)?.0
  }

  // MARK: To-one

  /// One target for each owner: the last one, or the first.
  func settle(_ column: ToOneColumn, _ changes: ChangeRecorder) throws {
    let groups: SQL = "FROM temp.import_link WHERE \(all) GROUP BY owner"
    if policy == .fail,
      let reference = try firstReference(
        where: """
          \(all) AND owner IN \
          (SELECT owner \(groups) HAVING count(DISTINCT target) > 1)
          """)
    {
      throw ImportError.contradiction(reference)
    }
    let pick: SQL = policy == .update ? "max(rowid)" : "min(rowid)"
    try remove("\(all) AND rowid NOT IN (SELECT \(pick) \(groups))")
    try remove(
      """
      \(old) AND EXISTS (SELECT 1 FROM \(name: owner.table) AS t \
      WHERE t.\(name: FixedColumn.primaryKey) = import_link.owner \
      AND t.\(name: column.column) = import_link.target)
      """)
    if policy == .ignore { return try remove(old) }
    guard let reference = try firstReference(where: old) else { return }
    guard policy == .update else { throw ImportError.contradiction(reference) }
    guard column.orderColumn == nil, inverse?.isToMany != false else {
      throw ImportError.linkOfOldRow(reference)
    }
    try record(column, changes)
  }

  /// The rows change, and so do the owners that they leave and come to.
  private func record(_ column: ToOneColumn, _ changes: ChangeRecorder) throws(DatabaseError) {
    let owners: SQL = "SELECT owner FROM temp.import_link WHERE \(old)"
    if changes.isOn, let inverse, let table = layout.entity(named: column.destination)?.table {
      let moved: SQL = """
        SELECT \(name: column.column) FROM \(name: owner.table) \
        WHERE \(name: FixedColumn.primaryKey) IN (\(owners)) \
        UNION SELECT target FROM temp.import_link WHERE \(old)
        """
      try touch(moved, in: table, property: inverse.name, changes)
    }
    try touch(owners, in: owner.table, property: kind.relationship, changes)
  }

  private func touch(
    _ keys: SQL, in table: String, property: String, _ changes: ChangeRecorder
  ) throws(DatabaseError) {
    let isMeant: SQL = "\(name: FixedColumn.primaryKey) IN (\(keys))"
    try changes.recordUpdates(
      of: """
        SELECT \(name: FixedColumn.entity), \(name: FixedColumn.primaryKey) FROM \(name: table) \
        WHERE \(isMeant)
        """,
      properties: [property])
    try connection.run(
      "UPDATE \(name: table) SET \(RowVersions.raising) WHERE \(isMeant)")
  }

  // MARK: To-many

  /// Each member once, none that the row has already, and new ones behind the others.
  func settle(_ toMany: ToManyLayout, _ changes: ChangeRecorder) throws(DatabaseError) {
    try remove(
      """
      \(all) AND rowid NOT IN \
      (SELECT min(rowid) FROM temp.import_link WHERE \(all) GROUP BY owner, target)
      """)
    let (members, order): (SQL, String?)
    switch toMany {
    case .column(let key):
      members = """
        \(name: key.table) AS t WHERE t.\(name: key.column) = import_link.owner
        """
      order = key.orderColumn
      try remove(
        """
        \(old) AND EXISTS (SELECT 1 FROM \(members) \
        AND t.\(name: FixedColumn.primaryKey) = import_link.target)
        """)
    case .joinTable(let join):
      members = """
        \(name: join.table) AS t WHERE t.\(name: join.sourceColumn) = import_link.owner
        """
      order = join.orderColumn
      try remove(
        """
        \(old) AND EXISTS (SELECT 1 FROM \(members) \
        AND t.\(name: join.destinationColumn) = import_link.target)
        """)
    }
    try connection.run(
      """
      UPDATE temp.import_link SET position = p.n FROM (SELECT rowid AS id, \
      row_number() OVER (PARTITION BY owner ORDER BY rowid) - 1 AS n \
      FROM temp.import_link WHERE \(all)) AS p WHERE import_link.rowid = p.id
      """)
    if let order {
      let position = OrderPlaces.position(behind: OrderPlaces.last(.name("t", order)))
      try connection.run(
        """
        UPDATE temp.import_link SET position = position + \
        (SELECT \(position) FROM \(members)) \
        WHERE \(old)
        """)
    }
    guard changes.isOn else { return }
    try touch(
      "SELECT owner FROM temp.import_link WHERE \(old)", in: owner.table,
      property: kind.relationship, changes)
  }
}
