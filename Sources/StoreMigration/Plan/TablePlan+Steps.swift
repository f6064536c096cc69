import PredicateSQL
import SQLiteAccess
import StoreLayout
import StoreDiagnostics

extension TablePlan {
  // MARK: In place

  /// Returns all steps except the steps for indexes, triggers and the new name of the table.
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
          "deletes rows of removed entities from \(base.name)", .rows(base.name)))
    }
    if let sql = update.sql {
      steps.append(MigrationStep(sql, "updates values in \(base.name)", .rows(base.name)))
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

  /// Whether a copy, which writes all rows once, is cheaper than several changes in place.
  ///
  /// With a million rows and two indexes, dropping one, two and three columns took 1.0, 1.7 and 2.2 s. A rebuild
  /// without four of eight columns took 2.7 to 3.2 s, about as long as dropping four columns. An update is assumed to
  /// be slightly faster than dropping a column.
  var isCheaperAsCopy: Bool {
    guard let update else { return true }
    let updates = !update.rewrittenColumns.isEmpty
    return Double(dropped.count) + (updates ? 0.8 : 0) > 3.7
  }

  // MARK: As a copy

  /// Returns the steps that create the new table and copy the rows. They must run before the tables that they read are
  /// changed. This is the procedure that SQLite recommends: https://www.sqlite.org/lang_altertable.html#otheralter
  func stepsAsCopy(under name: String) throws -> [MigrationStep] {
    var table = target
    table.name = name
    var steps = [MigrationStep(defining: table.sql, "creates \(target.name)", .schema)]
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

  static let fixed = [FixedColumn.primaryKey, FixedColumn.entity, FixedColumn.version]

  /// Returns one statement for all entities of a table, in the order of its keys, if their rows come from one table and
  /// are computed row by row.
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
  /// Appends the declared type of a column. A type with characters other than A to Z and spaces, which only another
  /// program declares, is replaced by BLOB.
  mutating func appendInterpolation(declared type: String) {
    let isPlain = type.utf8.allSatisfy {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: " ")
    }
    appendInterpolation(SQL(segments: [.text(isPlain ? type : "BLOB")]))
  }
}
