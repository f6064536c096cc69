import PredicateSQL
import StoreLayout
import SQLiteAccess

/// The rows of a table that a deletion removes: a temporary table of their keys or, if the table is emptied, the table
/// itself.
package struct DeletedRows: Hashable, Sendable {
  package let table: String
  /// Whether all rows are deleted, so that their keys aren't required.
  package let isWhole: Bool
  /// The number of the table's concrete entity, or nil if it has several.
  let onlyEntity: Int64?
  /// Whether cascades lead both to and from rows of this table. The column `round` then has an index, because each
  /// round searches the rows of the previous round.
  let isRepeated: Bool
  /// The only row, or nil if the rows are in a table of keys.
  var row: Row? = nil

  /// A row whose key and entity number are known.
  struct Row: Hashable, Sendable {
    var key: Int64
    var entity: Int64
  }

  var name: String { Self.name(of: table) }

  static func name(of table: String) -> String { "deleted_\(table)" }

  /// A table or subquery with the columns `key`, `entity` and `round`.
  var rows: SQL {
    if let row {
      return "(SELECT \(.number(row.key)) AS key, \(.number(row.entity)) AS entity, 0 AS round)"
    }
    guard isWhole else { return "temp.\(name: name)" }
    return """
      (SELECT \(name: FixedColumn.primaryKey) AS key, \(name: FixedColumn.entity) AS entity, \
      0 AS round FROM \(name: table))
      """
  }

  /// The key of the only row, or a SELECT of the keys. SQLite can search it after `IN` without copying keys.
  var keys: SQL {
    if let row { return .number(row.key) }
    return isWhole
      ? "SELECT \(name: FixedColumn.primaryKey) FROM \(name: table)"
      : "SELECT key FROM temp.\(name: name)"
  }

  /// The statements that create the empty table.
  var creation: [SQL] {
    guard !isWhole, row == nil else { return [] }
    let make: SQL = """
      CREATE TEMP TABLE \(name: name) \
      (key INTEGER PRIMARY KEY, entity INTEGER, round INTEGER DEFAULT 0)
      """
    let index: SQL = "CREATE INDEX temp.\(name: name + "_round") ON \(name: name) (round)"
    return ["DROP TABLE IF EXISTS temp.\(name: name)", make] + (isRepeated ? [index] : [])
  }

  /// A SELECT of each entity number and its number of rows.
  var census: SQL {
    let source: SQL = isWhole ? "\(name: table)" : "temp.\(name: name)"
    // Without GROUP BY, SQLite counts the entries of the smallest index.
    if let onlyEntity { return "SELECT \(.number(onlyEntity)), count(*) FROM \(source)" }
    let entity: SQL = isWhole ? "\(name: FixedColumn.entity)" : "entity"
    return "SELECT \(entity), count(*) FROM \(source) GROUP BY \(entity)"
  }

  /// Returns the statement that deletes these rows. If `range` isn't nil, it deletes only those with keys greater than
  /// `after` and not greater than `upTo`.
  func deletion(_ range: (after: Int64, upTo: Int64)? = nil) -> SQL {
    let some: SQL =
      range.map { " WHERE key > \(.number($0.after)) AND key <= \(.number($0.upTo))" } ?? ""
    return """
      DELETE FROM \(name: table) WHERE \(name: FixedColumn.primaryKey) IN (\(keys)\(some))
      """
  }
}
