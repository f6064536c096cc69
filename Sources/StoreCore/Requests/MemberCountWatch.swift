import PredicateSQL
package import SQLiteAccess
package import StoreLayout
package import StoreDiagnostics

/// Checks the numbers of members after a write. It must be created before the write.
///
/// An owner that violated the rule before the write may still violate it afterwards, so that a store can be repaired
/// step by step, but the violation must not increase.
package struct MemberCountWatch {
  private let rules: [MemberCountRule]
  private let layout: StoreLayout
  private let connection: Connection
  private let checksNewOwners: Bool
  /// For each rule, the highest key in the owners' table before the write.
  private let lastKeys: [Int64]

  private static let table = "storetool_miscounted"

  /// - Parameter checksNewOwners: whether the write can insert owners with their members, which must then have enough
  ///   members.
  package init(
    _ rules: [MemberCountRule], in layout: StoreLayout, on connection: Connection,
    checksNewOwners: Bool = false
  ) throws(DatabaseError) {
    self.rules = rules
    self.layout = layout
    self.connection = connection
    self.checksNewOwners = checksNewOwners
    var keys: [Int64] = []
    if !rules.isEmpty {
      try connection.run("DROP TABLE IF EXISTS temp.\(name: Self.table)")
      try connection.run(
        """
        CREATE TEMP TABLE \(name: Self.table) \
        (rule INTEGER, key INTEGER, count INTEGER, PRIMARY KEY (rule, key)) WITHOUT ROWID
        """)
    }
    for (index, rule) in rules.enumerated() {
      try connection.run(
        """
        INSERT INTO temp.\(name: Self.table) \
        SELECT \(.number(Int64(index))), key, count FROM (\(rule.violations()))
        """)
      keys.append(try connection.highestKey(in: rule.owner.table))
    }
    lastKeys = keys
  }

  /// Checks the numbers of members after the write.
  ///
  /// - Throws: `MemberCountError`, `DatabaseError`
  package func check() throws {
    for (index, rule) in rules.enumerated() {
      let known: SQL =
        checksNewOwners
        ? "" : " AND (was.key NOT NULL OR v.key <= \(.number(lastKeys[index])))"
      var further: SQL = """
        (v.count < \(.number(Int64(rule.minimum))) AND v.count < coalesce(was.count, v.count + 1)\
        \(known))
        """
      if let maximum = rule.maximum {
        further += """
           OR (v.count > \(.number(Int64(maximum))) AND v.count > coalesce(was.count, v.count - 1))
          """
      }
      let question: SQL = """
        SELECT v.entity, v.key, v.count FROM (\(rule.violations())) AS v \
        LEFT JOIN temp.\(name: Self.table) AS was \
        ON was.rule = \(.number(Int64(index))) AND was.key = v.key \
        WHERE \(further) ORDER BY v.key LIMIT 1
        """
      let found = try connection.rows(question)
      if found.isEmpty {
        StatementRecorder.current?.expectNone(question, "a row would have too many or few members")
      }
      if let row = found.first, let error = MemberCountError(row, by: rule, in: layout) {
        throw error
      }
    }
    if !rules.isEmpty { try connection.run("DROP TABLE temp.\(name: Self.table)") }
  }
}

/// A row would have more members than the model allows, or fewer than it requires. The store is unchanged.
package struct MemberCountError: DiagnosableError, Hashable {
  package var relationship: String
  package var minimum: Int
  package var maximum: Int?
  package var entity: String
  package var key: Int64
  package var count: Int

  package var diagnostics: [DiagnosticMessage] {
    let bound =
      count < minimum
      ? "requires at least \(minimum)" : "can have at most \(maximum ?? minimum)"
    let rule = count < minimum ? "minCount" : "maxCount"
    return [
      DiagnosticMessage(
        .error, "value.member-count",
        "'\(relationship)' \(bound) member\(bound.hasSuffix(" 1") ? "" : "s") (\(rule)):"
          + " \(entity) p\(key) would have \(count)", cause: .invalid
      ).about(entity, relationship.split(separator: ".").suffix(1).map(String.init), key: key)
    ]
  }
}

extension MemberCountError {
  /// - Parameter row: the entity number, the key and the new number of members of an owner.
  init?(_ row: [SQLiteValue], by rule: MemberCountRule, in layout: StoreLayout) {
    guard let entity = row[0].integer, let key = row[1].integer, let count = row[2].integer else {
      return nil
    }
    self.init(
      relationship: rule.name, minimum: rule.minimum, maximum: rule.maximum,
      entity: layout.entity(numbered: entity)?.name ?? rule.owner.name, key: key,
      count: Int(count))
  }
}
