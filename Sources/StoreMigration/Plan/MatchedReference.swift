import PredicateSQL
import StoreLayout
import SQLiteAccess
import StoreModel
import StorePredicate

/// A to-one relationship to the target row that matches a predicate, in which `$source` is the source row.
///
/// The values that the predicate reads from the source row are saved in a temporary table, because the row may have
/// been deleted when all target rows exist. Rows with equal values share one lookup. For comparisons with `==`, an
/// index is created.
struct MatchedReference {
  let transfer: EntityTransfer
  let relationship: String
  let column: ToOneColumn
  /// Selects the row's new key and the values that the predicate reads.
  private let values: SQL
  private let matches: SQL
  private let variables: [String]
  private let destination: EntityLayout
  private let equated: [String]
  private let target: StoreLayout

  /// - Throws: `CheckErrors` if the predicate doesn't match the models.
  init(
    _ relationship: String, _ column: ToOneColumn, _ typed: TypedMatch,
    to destination: EntityLayout, query: TransferQuery, in target: StoreLayout
  ) throws {
    var query = query
    transfer = query.transfer
    self.relationship = relationship
    self.target = target
    self.column = column
    let match = typed.match
    var variables: [String: (sql: SQL, type: ValueType)] = [:]
    var results: [SQL] = ["\(query.key) AS k"]
    for (reading, value) in zip(match.readings, typed.readings) {
      variables[reading.variable] = (.name(Self.alias, reading.variable), value.type)
      results.append("\(try query.rows.value(value)) AS \(name: reading.variable)")
    }
    values = try query.select(results)
    self.variables = match.readings.map(\.variable)
    self.destination = destination
    equated = match.equatedAttributes.compactMap { destination.attributes[$0]?.column }
    matches = try RowQuery.keys(of: destination, in: target, matching: typed.predicate, variables)
  }

  private static let alias = "m"

  /// Returns the step that saves the values, before the source changes.
  func scratchStep(_ number: Int) -> MigrationStep {
    MigrationStep(
      "CREATE TEMP TABLE \(name: table(number)) AS \(values)",
      "saves the values that \(transfer.target.name).\(relationship) is matched by", .scratch)
  }

  /// Returns the steps that set the relationship, after all rows have been moved.
  func steps(_ number: Int) -> [MigrationStep] {
    let place = transfer.target
    var steps = lookupSteps(number)
    if let entityColumn = column.entityColumn,
      let destination = target.entity(named: column.destination)
    {
      steps.append(
        MigrationStep(
          """
          UPDATE \(name: place.table) SET \(name: entityColumn) = \
          (SELECT \(.name("d", FixedColumn.entity)) FROM \(name: destination.table) AS d \
          WHERE \(.name("d", FixedColumn.primaryKey)) = \(name: column.column)) \
          WHERE \(name: FixedColumn.primaryKey) IN (SELECT k FROM temp.\(name: table(number)))
          """, "sets the entity of \(place.name).\(relationship)", .rows(place.table)))
    }
    return steps + [
      MigrationStep(
        "DROP TABLE temp.\(name: table(number))", "drops the saved values", .scratch)
    ]
  }

  private func lookupSteps(_ number: Int) -> [MigrationStep] {
    let (table, found) = (table(number), "\(table(number))_found")
    let key: SQL = "(\(matches) ORDER BY 1 LIMIT 1)"
    let place = transfer.target
    let purpose = "finds the matches of \(place.name).\(relationship)"
    let own = SQL.name(place.table, FixedColumn.primaryKey)
    guard !variables.isEmpty else {
      let update: SQL = """
        UPDATE \(name: place.table) SET \(name: column.column) = \(key) \
        WHERE \(own) IN (SELECT k FROM temp.\(name: table))
        """
      return [MigrationStep(update, purpose, .rows(place.table))]
    }
    let names = variables.map(SQL.name).joined(", ")
    let memo: SQL = """
      CREATE TEMP TABLE \(name: found) AS SELECT \(names), \(key) AS p \
      FROM (SELECT DISTINCT \(names) FROM temp.\(name: table)) AS \(name: Self.alias)
      """
    let same = variables.map { "\(.name("f", $0)) IS \(.name(Self.alias, $0))" as SQL }
    let update: SQL = """
      UPDATE \(name: place.table) SET \(name: column.column) = f.p \
      FROM temp.\(name: table) AS \(name: Self.alias) JOIN temp.\(name: found) AS f \
      ON \(same.joined(" AND ")) WHERE \(.name(Self.alias, "k")) = \(own)
      """
    return indexed(by: "storetool_\(table)", MigrationStep(memo, purpose, .scratch)) + [
      MigrationStep(update, "writes \(place.name).\(relationship)", .rows(place.table)),
      MigrationStep("DROP TABLE temp.\(name: found)", "drops the matches", .scratch),
    ]
  }

  /// Returns the step. If the predicate compares with `==`, also returns steps that create an index before it and drop
  /// the index after it.
  private func indexed(by name: String, _ step: MigrationStep) -> [MigrationStep] {
    guard !equated.isEmpty else { return [step] }
    let table = destination.table
    let columns = equated.map(SQL.name).joined(", ")
    return [
      MigrationStep(
        "CREATE INDEX \(name: name) ON \(name: table) (\(columns))",
        "creates a temporary index on \(table)", .rows(table)),
      step, MigrationStep("DROP INDEX \(name: name)", "drops the temporary index", .schema),
    ]
  }

  private func table(_ number: Int) -> String { "match_\(number)" }
}
