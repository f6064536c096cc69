import PredicateSQL
import StoreLayout
import StoreSQL
import StoreModel
import StorePredicate

/// `SELECT … FROM … WHERE …` over the source rows of a feed.
struct FeedQuery {
  let feed: Feed
  let source: StoreLayout
  var rows: RowQuery

  init(_ feed: Feed, in source: StoreLayout, storeUUID: String? = nil) {
    self.feed = feed
    self.source = source
    rows = RowQuery(feed.source, in: source, storeUUID: storeUUID)
  }

  /// What the feed's rows satisfy; empty when they are all rows of the table.
  mutating func conditions() throws -> [SQL] {
    var conditions: [SQL] = []
    if feed.source.sharesTable {
      conditions.append(
        "\(.name(rows.alias, FixedColumn.entity)) = \(.integer(feed.source.number))")
    }
    if let filter = feed.mapping.filter { conditions.append("(\(try rows.condition(filter)))") }
    return conditions
  }

  mutating func select(_ results: [SQL]) throws -> SQL {
    let conditions = try conditions()
    let clause: SQL = conditions.isEmpty ? "" : " WHERE \(conditions.joined(" AND "))"
    return "SELECT \(results.joined(", ")) FROM \(rows.source)\(clause)"
  }

  /// The new key of a row.
  var key: SQL {
    let key = SQL.name(rows.alias, FixedColumn.primaryKey)
    return feed.offset == 0 ? key : "\(key) + \(.integer(feed.offset))"
  }

  /// The keys of the rows that a feed takes.
  static func keys(of feed: Feed, in source: StoreLayout) throws -> SQL {
    var query = FeedQuery(feed, in: source)
    return try query.select([.name(query.rows.alias, FixedColumn.primaryKey)])
  }
}
