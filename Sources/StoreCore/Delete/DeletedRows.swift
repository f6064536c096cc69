import PredicateSQL
import StoreLayout
import SQLiteAccess

/// The rows of one table that a deletion takes: a temporary table of their keys, or, where the
/// table is emptied, the table itself.
package struct DeletedRows: Hashable, Sendable {
  /// The entity table.
  package let table: String
  /// All rows go, so that no one needs to know their keys.
  package let isWhole: Bool
  /// The number of the one entity whose rows the table holds; nil where it holds several's.
  let onlyEntity: Int64?
  /// Cascades lead to these rows and on from them, so that a round's new rows are looked for.
  let isRepeated: Bool

  var name: String { Self.name(of: table) }

  static func name(of table: String) -> String { "deleted_\(table)" }

  /// A source of `key`, `entity` and `round`.
  var rows: SQL {
    guard isWhole else { return "temp.\(name: name)" }
    return """
      (SELECT \(name: FixedColumn.primaryKey) AS key, \(name: FixedColumn.entity) AS entity, \
      0 AS round FROM \(name: table))
      """
  }

  /// A SELECT of the keys, in the form that SQLite searches without making a copy.
  var keys: SQL {
    isWhole
      ? "SELECT \(name: FixedColumn.primaryKey) FROM \(name: table)"
      : "SELECT key FROM temp.\(name: name)"
  }

  /// The statements that make it, empty.
  var creation: [SQL] {
    guard !isWhole else { return [] }
    let make: SQL = """
      CREATE TEMP TABLE \(name: name) \
      (key INTEGER PRIMARY KEY, entity INTEGER, round INTEGER DEFAULT 0)
      """
    let index: SQL = "CREATE INDEX temp.\(name: name + "_round") ON \(name: name) (round)"
    return ["DROP TABLE IF EXISTS temp.\(name: name)", make] + (isRepeated ? [index] : [])
  }

  /// A SELECT of the rows' `entity` and how many there are of it.
  var census: SQL {
    let source: SQL = isWhole ? "\(name: table)" : "temp.\(name: name)"
    // Where it is not asked for, SQLite counts the entries of the smallest index.
    if let onlyEntity { return "SELECT \(.number(onlyEntity)), count(*) FROM \(source)" }
    let entity: SQL = isWhole ? "\(name: FixedColumn.entity)" : "entity"
    return "SELECT \(entity), count(*) FROM \(source) GROUP BY \(entity)"
  }

  /// Deletes those whose keys lie in a range, the start excluded; nil is all of them.
  func deletion(_ range: (after: Int64, upTo: Int64)? = nil) -> SQL {
    let some: SQL =
      range.map { " WHERE key > \(.number($0.after)) AND key <= \(.number($0.upTo))" } ?? ""
    return """
      DELETE FROM \(name: table) WHERE \(name: FixedColumn.primaryKey) IN (\(keys)\(some))
      """
  }
}
