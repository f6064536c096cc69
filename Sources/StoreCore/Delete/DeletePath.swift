import PredicateSQL
import StoreLayout
import SQLiteAccess

/// A relationship from deleted rows to other rows.
package struct DeletePath: Hashable, Sendable {
  /// The column or join table that stores the relationship.
  enum Link: Hashable, Sendable {
    /// A column of the deleted rows.
    case ownColumn(String)
    /// A column of the destination rows, and the numbers of the entities that use it, or an empty array for all
    /// entities of the table. In rows of other entities, the content of the column has no meaning.
    case theirColumn(String, of: [Int64])
    case joinTable(ToManyLayout.Join)
  }

  /// The relationship, such as `List.items`.
  package let name: String
  /// The numbers of the entities that have the relationship, or nil for all entities of the table.
  let owners: [Int64]?
  let source: DeletedRows
  let destination: String
  let destinationTable: String
  let link: Link

  /// The FROM clause for the pairs of a deleted row, `d`, and its destination, `t`.
  ///
  /// CROSS JOIN makes SQLite begin with the deleted rows, because the planner doesn't know that there are few of them.
  /// If the columns aren't indexed, SQLite creates an index for the statement.
  var pairs: SQL {
    let there: SQL = "\(name: destinationTable) AS t"
    let key = SQL.name("t", FixedColumn.primaryKey)
    switch link {
    case .ownColumn(let column):
      return """
        \(source.rows) AS d \
        CROSS JOIN \(name: source.table) AS s ON \(.name("s", FixedColumn.primaryKey)) = d.key \
        CROSS JOIN \(there) ON \(key) = \(.name("s", column))
        """
    case .theirColumn(let column, _):
      return "\(source.rows) AS d CROSS JOIN \(there) ON \(.name("t", column)) = d.key"
    case .joinTable(let join):
      return """
        \(source.rows) AS d \
        CROSS JOIN \(name: join.table) AS j ON \(.name("j", join.sourceColumn)) = d.key \
        CROSS JOIN \(there) ON \(key) = \(.name("j", join.destinationColumn))
        """
    }
  }

  /// The conditions of the pairs in addition to the join.
  var conditions: [SQL] {
    var conditions: [SQL] = []
    if let owners { conditions.append(PredicateCompiler.isOne(of: owners, "d.entity")) }
    if case .theirColumn(_, let numbers) = link, !numbers.isEmpty {
      conditions.append(
        PredicateCompiler.isOne(of: numbers, "+\(.name("t", FixedColumn.entity))"))
    }
    return conditions
  }

  /// Returns the statement for one round of a cascade: it adds the destinations of the round's rows as the rows of the
  /// next round.
  func cascade(into deleted: DeletedRows, round: Int64) -> SQL {
    let all = ["d.round = \(.number(round))"] + conditions
    return """
      INSERT OR IGNORE INTO temp.\(name: deleted.name) (key, entity, round) \
      SELECT \(.name("t", FixedColumn.primaryKey)), \(.name("t", FixedColumn.entity)), \
      d.round + 1 FROM \(pairs) WHERE \(all.joined(" AND "))
      """
  }

  /// Returns a SELECT of the pairs whose destination remains: the `entity` and `key` of the deleted row, and the key of
  /// the `destination`.
  func survivors(outside deleted: DeletedRows?) -> SQL {
    var all = conditions
    if let deleted {
      all.append("\(.name("t", FixedColumn.primaryKey)) NOT IN (\(deleted.keys))")
    }
    return """
      SELECT d.entity AS entity, d.key AS key, \
      \(.name("t", FixedColumn.primaryKey)) AS destination FROM \(pairs)\(all.whereClause)
      """
  }
}
