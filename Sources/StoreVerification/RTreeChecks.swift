import StoreLayout
import SQLiteAccess

/// Compares an R-tree with its table. Triggers keep them synchronized.
struct RTreeChecks {
  let tree: RTreeLayout
  /// The root entity of the table.
  let root: String

  var checks: [VerificationCheck] { [ghosts, staleRows] }

  private static let key = SQL.name(FixedColumn.primaryKey)

  /// Finds rows of the R-tree that the table doesn't contain.
  private var ghosts: VerificationCheck {
    let isGhost: SQL = "\(Self.key) NOT IN (SELECT \(Self.key) FROM \(name: tree.table))"
    return VerificationCheck(
      finding: StoreFinding(.rTreeGhosts(tree.name, table: tree.table), entity: root),
      cases: "SELECT NULL AS entity, \(Self.key) AS key FROM \(name: tree.name) WHERE \(isGhost)",
      repair: .init(statement: "DELETE FROM \(name: tree.name) WHERE \(isGhost)"))
  }

  /// Finds rows of the table that the R-tree lacks or contains at another location. An R-tree stores a value as two
  /// 32-bit bounds, rounded down and up, and NULL as 0: https://www.sqlite.org/rtree.html.
  private var staleRows: VerificationCheck {
    let isThere = tree.columns.map { column -> SQL in
      let value: SQL = "CAST(ifnull(t.\(name: column), 0) AS REAL)"
      let bounds = RTreeLayout.bounds(of: column)
      return "\(value) BETWEEN r.\(name: bounds.least) AND r.\(name: bounds.greatest)"
    }.joined(" AND ")
    let stale: SQL = """
      SELECT t.\(name: FixedColumn.entity) AS entity, t.\(Self.key) AS key \
      FROM \(name: tree.table) AS t LEFT JOIN \(name: tree.name) AS r \
      ON r.\(Self.key) = t.\(Self.key) WHERE r.\(Self.key) IS NULL OR NOT (\(isThere))
      """
    return VerificationCheck(
      finding: StoreFinding(.staleRTree(tree.name, table: tree.table), entity: root), cases: stale,
      repair: .init(
        statement: """
          \(tree.filling(replaces: true)) WHERE \(Self.key) IN (SELECT key FROM (\(stale)))
          """))
  }
}
