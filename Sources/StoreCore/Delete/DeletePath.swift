import PredicateSQL
import StoreLayout
import SQLiteAccess

/// A relationship, as the way from rows that go to the rows that it leads to.
package struct DeletePath: Hashable, Sendable {
  /// Where the relationship is kept.
  enum Link: Hashable, Sendable {
    /// In a column of the rows that go.
    case ownColumn(String)
    /// In a column of the rows that it leads to. Rows of other entities in their table do not have
    /// the property, whatever the column holds.
    case theirColumn(String, of: [Int64])
    case joinTable(ToManyLayout.Join)
  }

  /// `List.items`
  package let name: String
  /// The entities that have the relationship, by number; nil when all of the table's have.
  let owners: [Int64]?
  let source: DeletedRows
  let destination: String
  let destinationTable: String
  let link: Link

  /// The pairs of a row that goes, `d`, and a row that it leads to, `t`.
  ///
  /// CROSS JOIN keeps SQLite from turning the loops around: it does not know that those that go are
  /// few. Without an index it makes one for the statement.
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

  /// What holds for the pairs, beside their being joined.
  var conditions: [SQL] {
    var conditions: [SQL] = []
    if let owners { conditions.append(PredicateCompiler.isOne(of: owners, "d.entity")) }
    if case .theirColumn(_, let numbers) = link, !numbers.isEmpty {
      conditions.append(
        PredicateCompiler.isOne(of: numbers, "+\(.name("t", FixedColumn.entity))"))
    }
    return conditions
  }

  /// Adds the rows that the relationship leads to from those of one round, as the next round's.
  func cascade(into deleted: DeletedRows, round: Int64) -> SQL {
    let all = ["d.round = \(.number(round))"] + conditions
    return """
      INSERT OR IGNORE INTO temp.\(name: deleted.name) (key, entity, round) \
      SELECT \(.name("t", FixedColumn.primaryKey)), \(.name("t", FixedColumn.entity)), \
      d.round + 1 FROM \(pairs) WHERE \(all.joined(" AND "))
      """
  }

  /// The pairs whose other side stays, as `source` and `destination`.
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
