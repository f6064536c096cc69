import PredicateSQL
package import SQLiteAccess
package import StoreDiagnostics
import StoreLayout
package import StoreModel

/// The statements of a batch update.
///
/// `explain` prints the statements, a dry run counts with them, and `UpdateRun` runs them.
package struct UpdatePlan: Hashable, Sendable {
  /// A column of the updated rows and its new value.
  struct Column: Hashable, Sendable {
    var name: String
    /// The expression of the new value, which reads the row before the update.
    var value: SQL
  }

  /// A rule for a computed value.
  struct Rule: Hashable, Sendable {
    var property: String
    var value: SQL
    /// A condition for rows that violate the rule.
    var violation: SQL
    var problem: ValueError
    var nullCauses: Set<NullCause>
  }

  /// A destination row that must exist.
  struct Reference: Hashable, Sendable {
    var property: String
    var destination: String
    var key: Int64
    /// A SELECT of the number of these rows: 1 if the row exists, otherwise 0.
    var count: SQL
  }

  package let entity: String
  let table: String
  /// The alias of the updated table in `source`.
  let alias: String
  /// The FROM clause, such as `ZITEM t0 LEFT JOIN ZLIST t1 ON …`.
  let source: SQL
  /// The conditions for the entity and the predicate. Empty if all rows of the table match.
  let conditions: [SQL]
  let columns: [Column]
  let rules: [Rule]
  let nullables: [Nullable]
  let references: [Reference]
  let uniqueness: [InsertPlan.UniquenessConstraint]
  let links: [UpdatedLink]
  /// Rows that lose an updated row as a member, or receive one.
  let owners: [UpdatedOwners]
  /// The changed properties, for the history.
  package let properties: [String]
  /// Whether one UPDATE is sufficient, because the new values depend only on the row and no other rows change.
  let isDirect: Bool
  /// Whether the model's validation rules apply.
  let validates: Bool

  // MARK: Statements

  /// A SELECT of the number of matching rows, the number of matching rows whose values would change, and the
  /// `nullCounts`.
  var census: SQL {
    """
    SELECT COUNT(*), COALESCE(SUM(\(difference)), 0)\(nullCounts) \
    FROM \(source)\(conditions.whereClause)
    """
  }

  /// A SELECT of the number of matching rows, and the `nullCounts`. If there are no `nullCounts`, it reads only the
  /// columns in the conditions.
  var matchCount: SQL { "SELECT COUNT(*)\(nullCounts) FROM \(source)\(conditions.whereClause)" }

  /// The condition for rows whose values would change. Rows that already have the new values aren't written.
  private var difference: SQL {
    let terms = columns.map { column -> SQL in
      "\(.name(alias, column.name)) IS NOT \(column.value)"
    }
    return "(\(terms.joined(" OR ")))"
  }

  var directUpdate: SQL {
    let set = columns.map { column -> SQL in "\(name: column.name) = \(column.value)" }
    return """
      UPDATE \(name: table) AS \(name: alias) SET \(set.joined(", ")), \(RowVersions.raising)\
      \((conditions + [difference]).whereClause)
      """
  }

  /// A SELECT of the rows that a direct update changes. They must be recorded in the history before it runs.
  var directlyChangedRows: SQL {
    """
    SELECT \(.name(alias, FixedColumn.entity)), \(.name(alias, FixedColumn.primaryKey)) \
    FROM \(source)\((conditions + [difference]).whereClause)
    """
  }

  static let keyedRows: SQL = "SELECT e, k FROM temp.\(name: keyTable)"

  /// The temporary table with the new values of each row, by primary key. All values are computed before the first row
  /// changes, so that no value depends on another row's new value.
  static let keyTable = "storetool_updated"

  private func valueColumn(_ index: Int) -> String { "v\(index)" }

  var keyTableDefinition: SQL {
    let values = columns.indices.map { SQL.name(valueColumn($0)) }
    return """
      CREATE TEMP TABLE \(name: Self.keyTable) \
      (k INTEGER PRIMARY KEY, e INTEGER, \(values.joined(", ")))
      """
  }

  static let keyTableRemoval: SQL = "DROP TABLE IF EXISTS temp.\(name: keyTable)"

  /// A SELECT of the key, the entity number and the new values of each row to change.
  private var changedRows: SQL {
    """
    SELECT \(.name(alias, FixedColumn.primaryKey)), \(.name(alias, FixedColumn.entity)), \
    \(columns.map(\.value).joined(", ")) FROM \(source)\((conditions + [difference]).whereClause)
    """
  }

  var keyTableFilling: SQL { "INSERT INTO temp.\(name: Self.keyTable) \(changedRows)" }

  /// The statement that sets the values of the key table in the rows.
  var keyedUpdate: SQL {
    var set = columns.enumerated().map { index, column -> SQL in
      "\(name: column.name) = n.\(name: valueColumn(index))"
    }
    set += links.compactMap(\.column.orderColumn).map { "\(name: $0) = NULL" }
    return """
      UPDATE \(name: table) SET \(set.joined(", ")), \(RowVersions.raising) \
      FROM temp.\(name: Self.keyTable) AS n WHERE \(.name(table, FixedColumn.primaryKey)) = n.k
      """
  }

  /// The statements that change rows, in their order, for `explain`.
  package var statements: [SQL] {
    guard !isDirect else { return [directUpdate] }
    return [keyTableDefinition, keyTableFilling] + owners.map(\.touch)
      + links.flatMap(\.releases).map(\.statement) + [keyedUpdate] + links.flatMap(\.completions)
  }

  /// The statement whose search for rows `explain` shows.
  package var search: SQL { isDirect ? directUpdate : changedRows }

  /// A SELECT of a row that violates a rule: its key, its entity number, the index of the rule, and the value. It scans
  /// the rows once for all rules. Nil if `rules` is empty.
  var offender: SQL? {
    guard !rules.isEmpty else { return nil }
    let cases = rules.enumerated().map { index, rule -> SQL in
      " WHEN \(rule.violation) THEN \(.number(Int64(index)))"
    }
    let values = rules.map { rule -> SQL in " WHEN \(rule.violation) THEN \(rule.value)" }
    let violations = rules.map { rule -> SQL in "(\(rule.violation))" }
    return """
      SELECT \(.name(alias, FixedColumn.primaryKey)), \(.name(alias, FixedColumn.entity)), \
      CASE\(cases.joined("")) END, CASE\(values.joined("")) END \
      FROM \(source)\((conditions + ["(\(violations.joined(" OR ")))"]).whereClause) LIMIT 1
      """
  }
}

extension UpdatePlan {
  /// A computed value that can be NULL for a row whose old value isn't NULL.
  struct Nullable: Hashable, Sendable {
    var property: String
    var column: String
    /// The expression of the value, which reads the row before the update.
    var value: SQL
    var causes: Set<NullCause>
  }

  /// An expression for each of `nullables`, with a comma before it: the number of rows whose value would become NULL.
  var nullCounts: SQL {
    nullables.map { nullable -> SQL in
      """
      , COUNT(*) FILTER (WHERE \(.name(alias, nullable.column)) IS NOT NULL \
      AND \(nullable.value) IS NULL)
      """
    }.joined("")
  }

  /// Returns warnings about values that an update has set to NULL, or would set.
  ///
  /// - Parameter isDryRun: whether the rows are unchanged.
  package func nullWarnings(_ outcome: UpdateResult, isDryRun: Bool = false) -> [DiagnosticMessage]
  {
    nullables.compactMap { nullable in
      guard let count = outcome.becameNull[nullable.property] else { return nil }
      return DiagnosticMessage(
        .warning, "update.became-null",
        """
        '\(nullable.property)' \(isDryRun ? "would become" : "became") NULL in \(count) \
        \("row".plural(count)) because of \(NullCause.phrase(nullable.causes))
        """, cause: .invalid, help: [.request(.chooseRows(orSkipValidation: false))])
    }
  }
}

extension NullCause {
  /// Returns the causes in words, such as `a division by zero or a NULL in the expression`.
  static func phrase(_ causes: Set<NullCause>) -> String {
    allCases.filter(causes.contains).map(\.words).joined(separator: " or ")
  }

  private var words: String {
    switch self {
    case .division: "a division by zero"
    case .operand: "a NULL in the expression"
    case .function: "a function without a result"
    case .written: "a literal nil"
    }
  }
}
