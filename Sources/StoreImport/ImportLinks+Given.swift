import SQLiteAccess
import StoreEngine
import StoreLayout
import StoreSQL

/// Links of rows of the store that records name by their `$id`.
///
/// A relationship that such a record gives is compared with the store, and the difference is done: so a record that says
/// what the store says changes nothing, whatever another record changes on the other side.
extension ImportLinks {
  /// Notes that a record gives a relationship of a row, whatever its targets are.
  func give(_ kind: Kind, owner: Int64, record: Int, key: () -> ReferenceKey?) throws(DatabaseError)
  {
    let number = number(of: kind, key)
    try connection.run(
      """
      INSERT OR IGNORE INTO temp.import_given VALUES \
      (\(value: .integer(number)), \(value: .integer(owner)), \(value: .integer(Int64(record))))
      """)
    hasGiven = true
  }

  /// Does what differs from the store; to be called when all targets are known. The links are then no others' to write.
  ///
  /// - Parameter isIgnored: the rows of the store are right.
  /// - Returns: nothing; `import_changed` has the rows whose links are others now.
  /// - Throws: `DatabaseError`
  func settleGiven(in layout: StoreLayout, isIgnored: Bool, _ changes: ChangeRecorder) throws {
    guard hasGiven else { return }
    try connection.run(
      "CREATE INDEX temp.import_link_owner ON import_link (kind, owner, target)")
    var found: [(number: Int64, links: GivenLinks)] = []
    for (index, kind) in kinds.enumerated() {
      let links = try GivenLinks(kind.relationship, of: kind.entity, in: layout, on: connection)
      let number = Int64(index)
      if !isIgnored {
        try findChanges(number, links)
        found.append((number, links))
      }
    }
    try connection.run(
      """
      INSERT INTO temp.import_listed SELECT l.kind, l.owner, l.target, l.position \
      FROM temp.import_link AS l JOIN temp.import_given AS g USING (kind, owner)
      """)
    try connection.run(
      """
      DELETE FROM temp.import_link WHERE (kind, owner) IN (SELECT kind, owner FROM temp.import_given)
      """)
    try connection.run("DROP INDEX temp.import_link_owner")
    for (number, links) in found { try links.unlink(pairs(number, isRemoval: true), changes) }
    for (number, links) in found { try links.link(pairs(number, isRemoval: false), changes) }
    for (number, links) in found { try order(number, links, in: layout, changes) }
    for (number, _) in found {
      let entity = layout.entity(named: kinds[Int(number)].entity)?.number ?? 0
      try connection.run(
        """
        INSERT OR IGNORE INTO temp.import_changed SELECT \(value: .integer(entity)), c.s \
        FROM temp.import_change AS c JOIN temp.import_given AS g ON g.kind = c.kind AND g.owner = c.s \
        WHERE c.kind = \(value: .integer(number))
        """)
    }
  }

  private func pairs(_ number: Int64, isRemoval: Bool) -> SQL {
    """
    SELECT s, d, n FROM temp.import_change \
    WHERE kind = \(value: .integer(number)) AND isRemoval = \(isRemoval ? "1" : "0")
    """
  }

  /// What a record lists and the store does not have; what the store has and the record does not list.
  private func findChanges(_ number: Int64, _ links: GivenLinks) throws(DatabaseError) {
    let kind = SQL.value(.integer(number))
    try connection.run(
      """
      INSERT INTO temp.import_change SELECT l.kind, 0, l.owner, l.target, min(l.position), \
      min(l.record) FROM temp.import_link AS l JOIN temp.import_given AS g USING (kind, owner) \
      WHERE l.kind = \(kind) AND NOT EXISTS \
      (SELECT 1 FROM (\(links.present)) AS p WHERE p.s = l.owner AND p.d = l.target) \
      GROUP BY l.owner, l.target
      """)
    // A to-one that leads elsewhere now is not let go before: the row may need one.
    let isListed: SQL = links.isToMany ? " AND l.target = p.d" : ""
    try connection.run(
      """
      INSERT INTO temp.import_change SELECT g.kind, 1, p.s, p.d, NULL, g.record \
      FROM temp.import_given AS g JOIN (\(links.present)) AS p ON p.s = g.owner \
      WHERE g.kind = \(kind) AND NOT EXISTS (SELECT 1 FROM temp.import_link AS l \
      WHERE l.kind = \(kind) AND l.owner = p.s\(isListed))
      """)
  }

  // MARK: Order

  /// Members stand as the record lists them, those that it does not know behind them.
  private func order(
    _ number: Int64, _ links: GivenLinks, in layout: StoreLayout, _ changes: ChangeRecorder
  ) throws(DatabaseError) {
    guard let order = links.order else { return }
    let kind = kinds[Int(number)]
    guard let owner = layout.entity(named: kind.entity) else { return }
    let (place, key): (SQL, SQL) = (.name("t", order.place), .name("t", order.owner))
    try connection.run("DROP TABLE IF EXISTS temp.import_rank")
    try connection.run(
      "CREATE TEMP TABLE import_rank (o INTEGER, m INTEGER, old INTEGER, new INTEGER)")
    try connection.run(
      """
      INSERT INTO temp.import_rank SELECT \(key), \(.name("t", order.member)), \
      row_number() OVER (PARTITION BY \(key) ORDER BY \(place), \(.name("t", order.member))), \
      row_number() OVER (PARTITION BY \(key) ORDER BY x.position IS NULL, x.position, \
      \(place), \(.name("t", order.member))) \
      FROM \(name: order.table) AS t JOIN temp.import_given AS g ON g.owner = \(key) \
      LEFT JOIN temp.import_listed AS x ON x.kind = g.kind AND x.owner = g.owner \
      AND x.target = \(.name("t", order.member)) WHERE g.kind = \(value: .integer(number))
      """)
    let moved: SQL = "SELECT o FROM temp.import_rank WHERE old <> new"
    try connection.run(
      """
      UPDATE \(name: order.table) SET \(name: order.place) = \
      \(OrderPlaces.place(at: "(r.new - 1)")) FROM temp.import_rank AS r \
      WHERE \(.name(order.table, order.owner)) = r.o \
      AND \(.name(order.table, order.member)) = r.m AND r.o IN (\(moved))
      """)
    let isMoved: SQL = "\(name: FixedColumn.primaryKey) IN (\(moved))"
    try changes.recordUpdates(
      of: """
        SELECT \(name: FixedColumn.entity), \(name: FixedColumn.primaryKey) \
        FROM \(name: owner.table) WHERE \(isMoved)
        """,
      properties: [kind.relationship])
    try connection.run("UPDATE \(name: owner.table) SET \(RowVersions.raising) WHERE \(isMoved)")
    try connection.run(
      """
      INSERT OR IGNORE INTO temp.import_changed \
      SELECT \(name: FixedColumn.entity), \(name: FixedColumn.primaryKey) \
      FROM \(name: owner.table) WHERE \(isMoved)
      """)
  }

  // MARK: Rules

  /// What records have asked for is there, and nobody has lost a partner that it needs; to be called when all is written.
  ///
  /// - Throws: `ImportError.contradictingLinks`, `ImportError.lostPartner`, `DatabaseError`
  func checkGiven(in layout: StoreLayout) throws {
    guard hasGiven else { return }
    for (index, kind) in kinds.enumerated() {
      let links = try GivenLinks(kind.relationship, of: kind.entity, in: layout, on: connection)
      let isOfKind: SQL = "c.kind = \(value: .integer(Int64(index)))"
      let overwritten = try connection.rows(
        """
        SELECT c.record, c.d FROM temp.import_change AS c WHERE \(isOfKind) AND c.isRemoval = 0 \
        AND NOT EXISTS (SELECT 1 FROM (\(links.present)) AS p WHERE p.s = c.s AND p.d = c.d) \
        ORDER BY c.record LIMIT 1
        """)
      if let reference = reference(overwritten.first, of: kind, to: kind.destination) {
        throw ImportError.contradictingLinks(reference)
      }
      for (isOfSources, table, column, property) in links.required {
        let row: SQL = isOfSources ? "c.s" : "c.d"
        let lost = try connection.rows(
          """
          SELECT c.record, \(row) FROM temp.import_change AS c JOIN \(name: table) AS t \
          ON t.\(name: FixedColumn.primaryKey) = \(row) \
          WHERE \(isOfKind) AND c.isRemoval = 1 AND t.\(name: column) IS NULL \
          ORDER BY c.record LIMIT 1
          """)
        let entity = isOfSources ? kind.entity : kind.destination
        if let reference = reference(lost.first, of: kind, to: entity) {
          throw ImportError.lostPartner(reference, property: property)
        }
      }
    }
  }

  private func reference(
    _ row: [SQLiteValue]?, of kind: Kind, to entity: String
  ) -> ImportError.Reference? {
    guard let record = row?[0].integer, let key = row?[1].integer else { return nil }
    return ImportError.Reference(
      relationship: "\(kind.entity).\(kind.relationship)", target: "\(entity) p\(key)",
      record: Int(record))
  }
}
