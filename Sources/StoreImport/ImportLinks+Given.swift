import StoreModel
import SQLiteAccess
import StoreCore
import StoreLayout

/// Links whose owner or target is an existing row.
///
/// If an object is an existing row, its relationships are compared with the store, and only the differences are
/// written. If stored links were written again, an object that repeats a link could undo a change by the object at the
/// other end of the link. `GivenLinks` creates links between new and existing rows. Links between new
/// rows are written directly.
extension ImportLinks {
  /// The policies for the relationships of existing rows, as conditions on a row `g` of `import_given`.
  struct Comparison {
    let policy: ConflictPolicy
    let members: MemberPolicy

    /// The condition that all links of the owner are applied. With `.fail`, this includes existing rows that a `$id`
    /// identifies, because an update by `$id` isn't a conflict.
    private var isApplied: SQL {
      switch policy {
      case .fail: "(NOT g.isOld OR g.isNamed)"
      case .ignore: "NOT g.isOld"
      case .update: "TRUE"
      }
    }

    /// The condition that links can be added to the owner.
    func isLinked(toMany: Bool) -> SQL {
      guard toMany else { return isApplied }
      return policy == .ignore ? "NOT (g.isOld AND g.isNamed)" : "TRUE"
    }

    /// The condition that the owner is an existing row whose links are removed if the input omits them.
    func isReplaced(toMany: Bool) -> SQL {
      guard policy != .ignore, !toMany || members == .replace else { return "FALSE" }
      return "(g.isOld AND \(isApplied))"
    }

    /// The condition that the members of the owner are sorted as in the list.
    var isOrdered: SQL { "(NOT g.isOld OR \(isReplaced(toMany: true)))" }
  }

  /// Fills `import_given`. Must be called after `resolve` and `agree`.
  func findGiven(in layout: StoreLayout, keys: KeyAllocator) throws(DatabaseError) {
    for (number, kind) in kinds.enumerated() {
      guard let owner = layout.entity(named: kind.entity),
        let destination = layout.entity(named: kind.destination)
      else { continue }
      let lastOwner = keys.lastOldKey(of: owner, in: layout)
      let lastTarget = keys.lastOldKey(of: destination, in: layout)
      // If neither entity had rows, all links are between new rows.
      guard lastOwner > 0 || lastTarget > 0 else { continue }
      try connection.run(
        """
        INSERT INTO temp.import_given SELECT kind, owner, min(record), \
        owner <= \(value: .integer(lastOwner)), min(origin) <= \(value: .integer(lastOwner)) \
        FROM temp.import_link WHERE kind = \(value: .integer(Int64(number))) GROUP BY owner \
        HAVING owner <= \(value: .integer(lastOwner)) \
        OR min(target) <= \(value: .integer(lastTarget))
        """)
    }
  }

  /// Writes the differences from the store. Afterwards, `import_link` only contains links between new rows.
  ///
  /// - Returns: the numbers of lists that were only used to add members to an existing row, although they omit or
  ///   reorder members that it already had, by `Entity.relationship`.
  /// - Throws: `ImportError.contradiction`, `DatabaseError`
  func settleGiven(
    in layout: StoreLayout, by comparison: Comparison, _ changes: ChangeRecorder
  ) throws -> [String: Int] {
    guard try connection.integer("SELECT EXISTS (SELECT 1 FROM temp.import_given)") > 0 else {
      try connection.run("DELETE FROM temp.import_link WHERE target IS NULL")
      return [:]
    }
    try connection.run("CREATE INDEX temp.import_link_owner ON import_link (kind, owner, target)")
    let found = try kinds.enumerated().map { index, kind in
      let links = try GivenLinks(kind.relationship, of: kind.entity, in: layout, on: connection)
      return (number: Int64(index), links: links)
    }
    if comparison.policy == .fail {
      for (number, links) in found where !links.isToMany { try refuseOtherTarget(number, links) }
    }
    try connection.run("DELETE FROM temp.import_link WHERE target IS NULL")
    var unapplied: [String: Int] = [:]
    for (number, links) in found {
      try findChanges(number, links, comparison)
      if links.isToMany, comparison.policy != .ignore {
        let count = try unappliedLists(number, links, comparison)
        if count > 0 { unapplied[kinds[Int(number)].name] = count }
      }
    }
    try connection.run(
      """
      INSERT INTO temp.import_listed SELECT l.kind, l.owner, l.target, l.position \
      FROM temp.import_link AS l JOIN temp.import_given AS g USING (kind, owner) \
      WHERE \(comparison.isOrdered)
      """)
    try connection.run(
      """
      DELETE FROM temp.import_link WHERE (kind, owner) IN (SELECT kind, owner FROM temp.import_given)
      """)
    try connection.run("DROP INDEX temp.import_link_owner")
    for (number, links) in found {
      try links.run(.unlink, pairs(number, isRemoval: true), changes) { try note($0, of: number) }
    }
    for (number, links) in found {
      try links.run(.link, pairs(number, isRemoval: false), changes) { try note($0, of: number) }
    }
    for (number, links) in found { try order(number, links, comparison, in: layout, changes) }
    return unapplied
  }

  private func pairs(_ number: Int64, isRemoval: Bool) -> SQL {
    """
    SELECT s, d, n FROM temp.import_change \
    WHERE kind = \(value: .integer(number)) AND isRemoval = \(isRemoval ? "1" : "0")
    """
  }

  /// Records the changed rows. Also records replaced links as removed, because `checkGiven` must check rows that
  /// require them.
  private func note(_ rows: GivenLinks.ChangedRows, of number: Int64) throws(DatabaseError) {
    for relinked in rows.relinked { try connection.run(Self.noting(.links, relinked)) }
    try connection.run(Self.noting(.hidden, rows.saved))
    let kind = SQL.value(.integer(number))
    try connection.run(
      """
      INSERT INTO temp.import_change SELECT \(kind), 1, e.s, e.d, NULL, \
      (SELECT min(record) FROM temp.import_change AS c \
      WHERE c.kind = \(kind) AND (c.s = e.s OR c.d = e.d)) FROM (\(rows.ended)) AS e
      """)
  }

  /// Checks that the to-one relationships of objects with the key of an existing row have the same targets as in the
  /// store.
  private func refuseOtherTarget(_ number: Int64, _ links: GivenLinks) throws {
    let isOther: SQL = """
      EXISTS (SELECT 1 FROM temp.import_given AS g WHERE g.kind = l.kind AND g.owner = l.owner \
      AND g.isOld AND NOT g.isNamed) AND (l.target IS NULL) = EXISTS \
      (SELECT 1 FROM (\(links.present)) AS p \
      WHERE p.s = l.owner AND p.d = coalesce(l.target, p.d))
      """
    if let reference = try firstReference(of: number, where: isOther) {
      throw ImportError.contradiction(reference)
    }
  }

  /// Adds to `import_change` the links that only the input or only the store contains, if `comparison` allows the
  /// change.
  private func findChanges(
    _ number: Int64, _ links: GivenLinks, _ comparison: Comparison
  ) throws(DatabaseError) {
    let kind = SQL.value(.integer(number))
    try connection.run(
      """
      INSERT INTO temp.import_change SELECT l.kind, 0, l.owner, l.target, min(l.position), \
      min(l.record) FROM temp.import_link AS l JOIN temp.import_given AS g USING (kind, owner) \
      WHERE l.kind = \(kind) AND \(comparison.isLinked(toMany: links.isToMany)) AND NOT EXISTS \
      (SELECT 1 FROM (\(links.present)) AS p WHERE p.s = l.owner AND p.d = l.target) \
      GROUP BY l.owner, l.target
      """)
    // If a to-one relationship has a new destination, its old link isn't removed first, because the
    // relationship can be required.
    let isListed: SQL = links.isToMany ? " AND l.target = p.d" : ""
    try connection.run(
      """
      INSERT INTO temp.import_change SELECT g.kind, 1, p.s, p.d, NULL, g.record \
      FROM temp.import_given AS g JOIN (\(links.present)) AS p ON p.s = g.owner \
      WHERE g.kind = \(kind) AND \(comparison.isReplaced(toMany: links.isToMany)) \
      AND NOT EXISTS (SELECT 1 FROM temp.import_link AS l \
      WHERE l.kind = \(kind) AND l.owner = p.s\(isListed))
      """)
  }

  /// Returns the number of lists that are only used to add members to an existing row, although they omit or reorder
  /// members that it already had.
  private func unappliedLists(
    _ number: Int64, _ links: GivenLinks, _ comparison: Comparison
  ) throws(DatabaseError) -> Int {
    let isMeant: SQL = """
      g.kind = \(value: .integer(number)) AND g.isOld \
      AND NOT \(comparison.isReplaced(toMany: true))
      """
    var differing: SQL = """
      SELECT g.owner AS o FROM temp.import_given AS g JOIN (\(links.present)) AS p \
      ON p.s = g.owner WHERE \(isMeant) AND NOT EXISTS (SELECT 1 FROM temp.import_link AS l \
      WHERE l.kind = g.kind AND l.owner = p.s AND l.target = p.d)
      """
    if let order = links.order {
      let member = SQL.name("t", order.member)
      differing += """
         UNION SELECT o FROM (SELECT g.owner AS o, \
        row_number() OVER (PARTITION BY g.owner ORDER BY \(.name("t", order.place)), \(member)) \
        AS old, row_number() OVER (PARTITION BY g.owner ORDER BY l.position) AS new \
        FROM temp.import_given AS g JOIN \(name: order.table) AS t \
        ON \(.name("t", order.owner)) = g.owner JOIN temp.import_link AS l \
        ON l.kind = g.kind AND l.owner = g.owner AND l.target = \(member) \
        WHERE \(isMeant)) WHERE old <> new
        """
    }
    return Int(try connection.integer("SELECT count(DISTINCT o) FROM (\(differing))"))
  }

  // MARK: Order

  /// Sorts the members of rows as in the lists of the input, followed by members that aren't in the list.
  private func order(
    _ number: Int64, _ links: GivenLinks, _ comparison: Comparison, in layout: StoreLayout,
    _ changes: ChangeRecorder
  ) throws(DatabaseError) {
    guard let order = links.order else { return }
    let kind = kinds[Int(number)]
    guard let owner = layout.entity(named: kind.entity) else { return }
    let (place, key): (SQL, SQL) = (.name("t", order.place), .name("t", order.owner))
    try connection.makeTemporaryTable(
      "import_rank", "(o INTEGER, m INTEGER, old INTEGER, new INTEGER)")
    try connection.run(
      """
      INSERT INTO temp.import_rank SELECT \(key), \(.name("t", order.member)), \
      row_number() OVER (PARTITION BY \(key) ORDER BY \(place), \(.name("t", order.member))), \
      row_number() OVER (PARTITION BY \(key) ORDER BY x.position IS NULL, x.position, \
      \(place), \(.name("t", order.member))) \
      FROM \(name: order.table) AS t JOIN temp.import_given AS g ON g.owner = \(key) \
      LEFT JOIN temp.import_listed AS x ON x.kind = g.kind AND x.owner = g.owner \
      AND x.target = \(.name("t", order.member)) WHERE g.kind = \(value: .integer(number)) \
      AND \(comparison.isOrdered)
      """)
    let moved: SQL = "SELECT o FROM temp.import_rank WHERE old <> new"
    try connection.run(
      """
      UPDATE \(name: order.table) SET \(name: order.place) = \
      \(OrderPlaces.place(at: "(r.new - 1)")) FROM temp.import_rank AS r \
      WHERE \(.name(order.table, order.owner)) = r.o \
      AND \(.name(order.table, order.member)) = r.m AND r.o IN (\(moved))
      """)
    let movedRows: SQL = """
      SELECT \(name: FixedColumn.entity), \(name: FixedColumn.primaryKey) \
      FROM \(name: owner.table) WHERE \(name: FixedColumn.primaryKey) IN (\(moved))
      """
    try changes.recordUpdates(of: movedRows, properties: [kind.relationship])
    try connection.run(Self.noting(.links, movedRows))
  }

  // MARK: Rules

  /// Checks that all added links still exist, and that removed links don't leave a required relationship empty. Must be
  /// called after all rows are written.
  ///
  /// - Throws: `ImportError.contradictingLinks`, `ImportError.lostPartner`, `DatabaseError`
  func checkGiven(in layout: StoreLayout) throws {
    guard try connection.integer("SELECT EXISTS (SELECT 1 FROM temp.import_change)") > 0 else {
      return
    }
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
    return inputs.reference(kind, to: "\(entity) p\(key)", of: record)
  }
}
