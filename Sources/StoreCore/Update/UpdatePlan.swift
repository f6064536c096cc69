import PredicateSQL
package import SQLiteAccess
package import StoreDiagnostics
import StoreLayout
package import StoreModel

/// What a batch update does to a store, before anything is done: the statements as values.
///
/// `explain` prints them, a dry run counts with them, `UpdateRun` runs them.
package struct UpdatePlan: Hashable, Sendable {
  /// A column of the updated rows and its new value.
  struct Column: Hashable, Sendable {
    var name: String
    /// Over the row as it is before the update.
    var value: SQL
  }

  /// What a computed value must satisfy.
  struct Rule: Hashable, Sendable {
    var property: String
    var value: SQL
    /// True for a row that must not be.
    var violation: SQL
    var problem: ValueError
    var nullCauses: Set<NullCause>
  }

  /// A row that must exist.
  struct Reference: Hashable, Sendable {
    var property: String
    var destination: String
    var key: Int64
    /// 0 when there is no such row.
    var count: SQL
  }

  package let entity: String
  let table: String
  /// The alias of the rows in `source`.
  let alias: String
  /// `ZITEM t0 LEFT JOIN ZLIST t1 ON …`
  let source: SQL
  /// The restriction to the entity and the predicate; empty when every row of the table is meant.
  let conditions: [SQL]
  let columns: [Column]
  let rules: [Rule]
  let nullables: [Nullable]
  let references: [Reference]
  let uniqueness: [InsertPlan.UniquenessConstraint]
  let links: [UpdatedLink]
  /// Rows that lose or gain one of the updated rows as a member.
  let owners: [UpdatedOwners]
  /// The properties that are set, for the history.
  package let properties: [String]
  /// The new values depend on the row alone, and nothing else has to follow: one UPDATE does it.
  let isDirect: Bool
  /// Whether the model's own rules hold, too.
  let validates: Bool

  // MARK: Statements

  /// How many rows match, how many of them hold other values, and the `nullCounts`.
  var census: SQL {
    """
    SELECT COUNT(*), COALESCE(SUM(\(difference)), 0)\(nullCounts) \
    FROM \(source)\(conditions.whereClause)
    """
  }

  /// How many rows match, and the `nullCounts`. Without these it needs no column of the rows.
  var matchCount: SQL { "SELECT COUNT(*)\(nullCounts) FROM \(source)\(conditions.whereClause)" }

  /// Rows that hold the values already are not rewritten.
  private var difference: SQL {
    let terms = columns.map { column -> SQL in
      "\(.name(alias, column.name)) IS NOT \(column.value)"
    }
    return "(\(terms.joined(" OR ")))"
  }

  /// The one statement of a direct update.
  var directUpdate: SQL {
    let set = columns.map { column -> SQL in "\(name: column.name) = \(column.value)" }
    return """
      UPDATE \(name: table) AS \(name: alias) SET \(set.joined(", ")), \(RowVersions.raising)\
      \((conditions + [difference]).whereClause)
      """
  }

  /// The rows that a direct update changes, for the history; they must be noted before it runs.
  var directlyChangedRows: SQL {
    """
    SELECT \(.name(alias, FixedColumn.entity)), \(.name(alias, FixedColumn.primaryKey)) \
    FROM \(source)\((conditions + [difference]).whereClause)
    """
  }

  static let keyedRows: SQL = "SELECT e, k FROM temp.\(name: keyTable)"

  /// The new values by key, in a table of their own, so that no row's value depends on another
  /// row's new one.
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

  /// The key, the entity's number and the new values of each row that is to be changed.
  private var changedRows: SQL {
    """
    SELECT \(.name(alias, FixedColumn.primaryKey)), \(.name(alias, FixedColumn.entity)), \
    \(columns.map(\.value).joined(", ")) FROM \(source)\((conditions + [difference]).whereClause)
    """
  }

  var keyTableFilling: SQL { "INSERT INTO temp.\(name: Self.keyTable) \(changedRows)" }

  /// Gives the rows of the key table their values.
  var keyedUpdate: SQL {
    var set = columns.enumerated().map { index, column -> SQL in
      "\(name: column.name) = n.\(name: valueColumn(index))"
    }
    for link in links {
      guard let order = link.column.orderColumn else { continue }
      set.append("\(name: order) = NULL")
    }
    return """
      UPDATE \(name: table) SET \(set.joined(", ")), \(RowVersions.raising) \
      FROM temp.\(name: Self.keyTable) AS n WHERE \(.name(table, FixedColumn.primaryKey)) = n.k
      """
  }

  /// The statements that change rows, in their order: what `explain` shows.
  package var statements: [SQL] {
    guard !isDirect else { return [directUpdate] }
    return [keyTableDefinition, keyTableFilling] + owners.map(\.touch)
      + links.flatMap(\.releases) + [keyedUpdate] + links.flatMap(\.completions)
  }

  /// The statement that looks for the rows.
  package var search: SQL { isDirect ? directUpdate : changedRows }

  /// A row that breaks a rule: its key, its entity's number, the index of the rule, the value. One scan for all rules;
  /// nil when there are none.
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
  /// A computed value that can be NULL for a row that has a value.
  struct Nullable: Hashable, Sendable {
    var property: String
    var column: String
    /// Over the row as it is before the update.
    var value: SQL
    var causes: Set<NullCause>
  }

  /// One count for each of `nullables`, with a comma before it: the rows whose value becomes NULL.
  var nullCounts: SQL {
    nullables.map { nullable -> SQL in
      """
      , COUNT(*) FILTER (WHERE \(.name(alias, nullable.column)) IS NOT NULL \
      AND \(nullable.value) IS NULL)
      """
    }.joined("")
  }

  /// Warnings about the values that an update has set to NULL, or would set.
  ///
  /// - Parameter isDryRun: whether the rows are still as they were.
  package func nullWarnings(_ outcome: UpdateResult, isDryRun: Bool = false) -> [Diagnostic] {
    nullables.compactMap { nullable in
      guard let count = outcome.becameNull[nullable.property] else { return nil }
      return Diagnostic(
        .warning, "update.became-null",
        """
        '\(nullable.property)' \(isDryRun ? "would become" : "became") NULL in \(count) \
        \("row".plural(count)) because of \(NullCause.phrase(nullable.causes))
        """, cause: .invalid, help: [.request(.chooseRows(orSkipValidation: false))])
    }
  }
}

extension NullCause {
  /// `a division by zero or a NULL operand`
  static func phrase(_ causes: Set<NullCause>) -> String {
    allCases.filter(causes.contains).map(\.words).joined(separator: " or ")
  }

  private var words: String {
    switch self {
    case .division: "a division by zero"
    case .operand: "a NULL operand"
    case .function: "a function that has no result"
    case .written: "a nil in the expression"
    }
  }
}
