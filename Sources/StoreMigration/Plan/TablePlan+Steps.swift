import PredicateSQL
import SQLiteAccess
import StoreLayout
import StoreDiagnostics

extension TablePlan {
  // MARK: In place

  /// Everything but indexes, triggers and the table's new name.
  func stepsInPlace(by update: TableUpdate) -> [MigrationStep] {
    let base = update.base
    var steps = added.map { column in
      MigrationStep(
        "ALTER TABLE \(name: base.name) ADD COLUMN \(name: update.addedName(of: column.name)) \(declared: column.declaredType)",
        "adds \(column.name) to \(base.name)", .schema)
    }
    if !deletedEntities.isEmpty {
      steps.append(
        MigrationStep(
          "DELETE FROM \(name: base.name) WHERE \(name: FixedColumn.entity) IN \(.list(deletedEntities))",
          "removes the rows of entities that are gone from \(base.name)", .rows(base.name)))
    }
    if let sql = update.sql {
      steps.append(MigrationStep(sql, "new values in \(base.name)", .rows(base.name)))
    }
    steps += dropped.map { column in
      var step = MigrationStep(
        "ALTER TABLE \(name: base.name) DROP COLUMN \(name: column)",
        "drops \(base.name).\(column)", .rows(base.name))
      step.needsJournal = false
      return step
    }
    return steps + renames(by: update)
  }

  private func renames(by update: TableUpdate) -> [MigrationStep] {
    let base = update.base
    let wanted = target.columns.map(\.name).map { (old: update.currentName(of: $0), new: $0) }
    let names =
      base.columns.map(\.name).exact.subtracting(dropped.exact).map(\.text)
      + added.map { update.addedName(of: $0.name) }
    return RenameOrder(
      wanted.filter { !$0.old.isExactly($0.new) }, taken: names.map { $0.lowercased() }.exact
    )
    .renames.map { old, new in
      MigrationStep(
        "ALTER TABLE \(name: base.name) RENAME COLUMN \(name: old) TO \(name: new)",
        "renames \(base.name).\(old) to \(new)", .schema)
    }
  }

  /// The rows would be written more often in place than once for all.
  ///
  /// On a million rows with two indexes one, two and three dropped columns took 1.0, 1.7 and 2.2 s, and a
  /// rebuild without four of eight 2.7 to 3.2 s, so that a rebuild is worth some four columns. An update
  /// is taken to be a bit cheaper than a column.
  var isCheaperAsCopy: Bool {
    guard let update else { return true }
    let updates = !update.rewrittenColumns.isEmpty
    return Double(dropped.count) + (updates ? 0.8 : 0) > 3.7
  }

  // MARK: As a copy

  /// The new table and its rows; all that they are made from is still as it was. SQLite's own procedure:
  /// https://www.sqlite.org/lang_altertable.html#otheralter
  func stepsAsCopy(under name: String) throws -> [MigrationStep] {
    var table = target
    table.name = name
    var steps = [MigrationStep(defining: table.sql, "makes \(target.name)", .schema)]
    if let whole = copyOfWholeTable(under: name) { return steps + [whole] }
    for transfer in transfers {
      let columns = target.columns.map(\.name)
        .filter { Self.fixed.contains($0) || (transfer.values[$0] ?? .null) != .null }
      var query = transfer.query
      let results = columns.map { column -> SQL in
        switch column {
        case FixedColumn.primaryKey: query.key
        case FixedColumn.entity: .integer(transfer.transfer.target.number)
        case FixedColumn.version: .name(query.rows.alias, FixedColumn.version)
        default: transfer.values[column]?.sql ?? "NULL"
        }
      }
      steps.append(
        MigrationStep(
          """
          INSERT INTO \(name: name) (\(columns.map(SQL.name).joined(", "))) \
          \(try query.select(results))
          """, "fills \(target.name) from \(transfer.transfer.source.name)", .rows(target.name)))
    }
    return steps
  }

  private static let fixed: Set = [FixedColumn.primaryKey, FixedColumn.entity, FixedColumn.version]

  /// One statement for all entities of a table, in the order of its keys, where their rows differ in
  /// few values or none.
  private func copyOfWholeTable(under name: String) -> MigrationStep? {
    guard let update, transfers.count > 1, takesRowsAsTheyAre else { return nil }
    let base = update.base
    let columns = target.columns.map(\.name)
      .filter { carriers[$0] != nil || update.changedColumns.contains($0) }
    let results = columns.map { update.result(of: $0) }
    let select: SQL =
      "SELECT \(results.joined(", ")) FROM \(name: base.name) AS \(name: ColumnValue.row)"
    let filter: SQL =
      deletedEntities.isEmpty
      ? ""
      : " WHERE \(.name(ColumnValue.row, FixedColumn.entity)) NOT IN \(.list(deletedEntities))"
    return MigrationStep(
      "INSERT INTO \(name: name) (\(columns.map(SQL.name).joined(", "))) \(select)\(filter)",
      "fills \(target.name) from \(base.name)", .rows(target.name))
  }
}

extension SQL.StringInterpolation {
  /// A declared type is one of our own words; another program's text is taken for BLOB.
  mutating func appendInterpolation(declared type: String) {
    let isPlain = type.utf8.allSatisfy {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: " ")
    }
    appendInterpolation(SQL(segments: [.text(isPlain ? type : "BLOB")]))
  }
}
