import SQLiteAccess
import StoreCore
import StoreLayout
import StoreModel

/// The links of objects that share a row with other objects or are existing rows.
extension ImportLinks {
  /// Replaces the objects' provisional primary keys in links and registered `$id`s by the primary keys of their rows.
  ///
  /// - Parameter same: a table with the provisional key `k` of each object, and the primary key `row` and the entity
  ///   number `entity` of its row.
  func replace(_ same: SQL, of entity: EntityLayout, in layout: StoreLayout) throws(DatabaseError) {
    // Primary keys are unique among all entities with the same root, so owners can be found without their entity.
    let owned = kinds.indices
      .filter { layout.entity(named: kinds[$0].entity)?.root == entity.root }
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

  /// Merges the links of each row that several objects describe. Must be called after `resolve`.
  ///
  /// - Parameter merged: the root entities whose objects can have been merged.
  /// - Throws: `ImportError.contradiction`, `DatabaseError`.
  func agree(
    _ merged: Set<String>, in layout: StoreLayout, on policy: ConflictPolicy
  ) throws {
    for (number, kind) in kinds.enumerated() {
      guard let owner = layout.entity(named: kind.entity), merged.contains(owner.root) else {
        continue
      }
      if owner.toOne[kind.relationship] != nil {
        try agreeOnTarget(Int64(number), on: policy)
      } else {
        try agreeOnMembers(Int64(number))
      }
    }
  }

  /// Keeps one target for each owner: the first one if the policy is `.ignore`, otherwise the last one. Different
  /// targets are an error if the policy is `.fail`.
  private func agreeOnTarget(_ number: Int64, on policy: ConflictPolicy) throws {
    let all: SQL = "kind = \(value: .integer(number))"
    let groups: SQL = "FROM temp.import_link WHERE \(all) GROUP BY owner"
    if policy == .fail,
      let reference = try firstReference(
        of: number,
        where: "owner IN (SELECT owner \(groups) HAVING count(DISTINCT coalesce(target, 0)) > 1)")
    {
      throw ImportError.contradiction(reference)
    }
    // SQLite reads the other columns from the row with the max() or min().
    let pick: SQL = policy == .ignore ? "min(origin)" : "max(origin)"
    try connection.run(
      """
      DELETE FROM temp.import_link WHERE \(all) \
      AND rowid NOT IN (SELECT id FROM (SELECT rowid AS id, \(pick) \(groups)))
      """)
  }

  /// For each owner, keeps the members that any of its objects lists, without duplicates, in the order of the input.
  private func agreeOnMembers(_ number: Int64) throws(DatabaseError) {
    let all: SQL = "kind = \(value: .integer(number)) AND target NOT NULL"
    try connection.run(
      """
      DELETE FROM temp.import_link WHERE \(all) AND rowid NOT IN (SELECT id FROM \
      (SELECT rowid AS id, row_number() OVER (PARTITION BY owner, target \
      ORDER BY origin, position) AS n FROM temp.import_link WHERE \(all)) WHERE n = 1)
      """)
    try connection.run(
      """
      UPDATE temp.import_link SET position = p.n FROM (SELECT rowid AS id, \
      row_number() OVER (PARTITION BY owner ORDER BY origin, position) - 1 AS n \
      FROM temp.import_link WHERE \(all)) AS p WHERE import_link.rowid = p.id
      """)
  }

  /// Returns the first link of a kind that satisfies a condition.
  func firstReference(
    of number: Int64, where condition: SQL
  ) throws(DatabaseError) -> ImportError.Reference? {
    let found = try connection.rows(
      """
      SELECT record, reference FROM temp.import_link AS l \
      WHERE kind = \(value: .integer(number)) AND \(condition) ORDER BY record, rowid LIMIT 1
      """)
    return found.first.map { row in
      inputs.reference(kinds[Int(number)], to: row[1].text ?? "", of: row[0].integer ?? 0)
    }
  }

  // MARK: Claims

  /// A claim is a link to a row that can have only one owner. If several owners claim a row, keeps one claim: the first
  /// in the input if the policy is `.ignore`, otherwise the last. Links that the store already contains have the lowest
  /// priority. Links of owners that a `$id` identifies always remain, so that `checkGiven` detects contradictions
  /// between them.
  ///
  /// Must be called after `findGiven`.
  ///
  /// - Parameter merged: the root entities whose objects can have been merged.
  /// - Returns: the numbers of rows that several owners link to, apart from links that the store already contains, by
  ///   the destination entity of the relationship.
  func settleClaims(
    _ merged: Set<String>, in layout: StoreLayout, on policy: ConflictPolicy, keys: KeyAllocator
  ) throws -> [String: Int] {
    var contested: [String: Int] = [:]
    for (index, kind) in kinds.enumerated() {
      let links = try GivenLinks(kind.relationship, of: kind.entity, in: layout, on: connection)
      guard links.isExclusive, let owner = layout.entity(named: kind.entity),
        try mayRepeatTargets(kind, Int64(index), merged, in: layout)
      else { continue }
      let count = try settleClaims(
        of: Int64(index), links, owner.toOne[kind.relationship] != nil, on: policy,
        lastOldOwner: keys.lastOldKey(of: owner, in: layout))
      if count > 0 { contested[kind.destination, default: 0] += count }
    }
    return contested
  }

  /// Returns whether several links can have the same target. A new nested object is the target of only one link, so
  /// this requires merged objects or references.
  private func mayRepeatTargets(
    _ kind: Kind, _ number: Int64, _ merged: Set<String>, in layout: StoreLayout
  ) throws(DatabaseError) -> Bool {
    if let root = layout.entity(named: kind.destination)?.root, merged.contains(root) {
      return true
    }
    return try connection.integer(
      """
      SELECT EXISTS (SELECT 1 FROM temp.import_link \
      WHERE kind = \(value: .integer(number)) AND reference NOT NULL)
      """) > 0
  }

  private func settleClaims(
    of number: Int64, _ links: GivenLinks, _ isToOne: Bool, on policy: ConflictPolicy,
    lastOldOwner: Int64
  ) throws(DatabaseError) -> Int {
    let all: SQL = "kind = \(value: .integer(number))"
    try connection.makeTemporaryTable(
      "import_contested",
      """
      AS SELECT target FROM temp.import_link \
      WHERE \(all) AND target NOT NULL GROUP BY target HAVING count(DISTINCT owner) > 1
      """)
    guard try connection.integer("SELECT count(*) FROM temp.import_contested") > 0 else { return 0 }
    let isContested: SQL = "\(all) AND target IN (SELECT target FROM temp.import_contested)"
    let isNamed: SQL = "origin <= \(value: .integer(lastOldOwner))"
    let drop: SQL =
      isToOne
      ? "UPDATE temp.import_link SET target = NULL, entity = NULL, reference = NULL"
      : "DELETE FROM temp.import_link"
    // Links that the store already contains are removed first, so that new links take precedence.
    try connection.run(
      """
      DELETE FROM temp.import_link WHERE \(isContested) AND NOT \(isNamed) AND EXISTS \
      (SELECT 1 FROM (\(links.present)) AS p \
      WHERE p.s = import_link.owner AND p.d = import_link.target)
      """)
    let pick: SQL = policy == .ignore ? "min(origin)" : "max(origin)"
    let count = try connection.integer(
      """
      SELECT count(*) FROM (SELECT 1 FROM temp.import_link WHERE \(isContested) \
      GROUP BY target HAVING count(DISTINCT owner) > 1)
      """)
    try connection.run(
      """
      \(drop) WHERE \(isContested) AND NOT \(isNamed) AND rowid NOT IN \
      (SELECT id FROM (SELECT rowid AS id, \(pick) FROM temp.import_link \
      WHERE \(isContested) GROUP BY target))
      """)
    return Int(count)
  }
}
