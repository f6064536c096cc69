import StoreEngine
import StoreModel
import StorePredicate

/// A to-one whose destination is the target row that matches a predicate with `$source`.
///
/// What the predicate reads of the source row is kept in a temporary table, since the row may be
/// gone by the time when all target rows are there to be asked.
struct MatchedReference {
  let feed: Feed
  let relationship: String
  let column: ToOneColumn
  /// Selects the row's new key and what the predicate reads of it.
  private let values: SQL
  private let matches: SQL
  private let target: StoreLayout

  /// - Throws: `CheckFailure`
  init(
    _ relationship: String, _ column: ToOneColumn, _ predicate: Predicate,
    to destination: EntityLayout, query: FeedQuery, in target: StoreLayout
  ) throws {
    var query = query
    feed = query.feed
    self.relationship = relationship
    self.target = target
    self.column = column
    let match = MatchPredicate(predicate)
    var variables: [String: (sql: SQL, type: ValueType)] = [:]
    var results: [SQL] = ["\(query.key) AS k"]
    for reading in match.readings {
      let value = try query.rows.value(reading.path)
      variables[reading.variable] = (.name(Self.alias, reading.variable), value.type)
      results.append("\(value.sql) AS \(name: reading.variable)")
    }
    values = try query.select(results)
    matches = try RowQuery.keys(of: destination, in: target, matching: match.predicate, variables)
  }

  private static let alias = "m"

  /// While the source is whole.
  func scratchStep(_ number: Int) -> MigrationStep {
    MigrationStep(
      "CREATE TEMP TABLE \(name: table(number)) AS \(values)",
      "keeps what \(feed.target.name).\(relationship) is matched by", .scratch)
  }

  /// When all rows are in their places.
  func steps(_ number: Int) -> [MigrationStep] {
    let key: SQL = "(\(matches) ORDER BY 1 LIMIT 1)"
    let place = feed.target
    var steps = [
      MigrationStep(
        """
        UPDATE \(name: place.table) SET \(name: column.column) = \(key) \
        FROM temp.\(name: table(number)) AS \(name: Self.alias) \
        WHERE \(.name(Self.alias, "k")) = \(.name(place.table, FixedColumn.primaryKey))
        """, "finds \(place.name).\(relationship)", .rows(place.table))
    ]
    if let entityColumn = column.entityColumn,
      let destination = target.entity(named: column.destination)
    {
      steps.append(
        MigrationStep(
          """
          UPDATE \(name: place.table) SET \(name: entityColumn) = (SELECT d.Z_ENT \
          FROM \(name: destination.table) AS d WHERE d.Z_PK = \(name: column.column)) \
          WHERE \(name: FixedColumn.primaryKey) IN (SELECT k FROM temp.\(name: table(number)))
          """, "notes the entity of \(place.name).\(relationship)", .rows(place.table)))
    }
    return steps + [
      MigrationStep(
        "DROP TABLE temp.\(name: table(number))", "forgets what was kept", .scratch)
    ]
  }

  private func table(_ number: Int) -> String { "match_\(number)" }
}
