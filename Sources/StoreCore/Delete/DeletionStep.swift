import StoreLayout
package import SQLiteAccess

/// A statement of a deletion and its purpose, for running it and for `explain`.
package struct DeletionStep: Hashable, Sendable {
  /// The purpose, such as `clear Item.list`.
  package let purpose: String
  package let sql: SQL
  /// The rows that the statement deletes by their keys, or nil for any other statement. If there are many rows, several
  /// statements delete them in pieces instead.
  let pieces: DeletedRows?

  init(_ purpose: String, _ sql: SQL, pieces: DeletedRows? = nil) {
    self.purpose = purpose
    self.sql = sql
    self.pieces = pieces
  }
}

extension DeletePlan {
  /// The steps that find the rows to delete. They only write temporary tables. A cascade is included once, although it
  /// runs until no rows are added.
  package var findingSteps: [DeletionStep] {
    var steps = deleted.flatMap { deleted in
      deleted.creation.map { DeletionStep("store the keys to delete", $0) }
    }
    if let selection { steps.append(DeletionStep("find the rows", selection)) }
    for path in cascades {
      guard let destination = deleted(path.destinationTable) else { continue }
      steps.append(
        DeletionStep(
          "follow \(path.name) until no rows are added",
          path.cascade(into: destination, round: 0)))
    }
    return steps
  }

  /// The steps that change the store. They depend on the numbers of rows in `findings`.
  package func steps(_ findings: DeletionFindings) -> [DeletionStep] {
    guard findings.deletedCount > 0 else { return [] }
    return fileSteps + freeingSteps(findings)
      + findings.tables.flatMap { deletion(of: $0) } + sparingSteps
  }

  var fileSteps: [DeletionStep] {
    guard !externalColumns.isEmpty else { return [] }
    return ExternalColumn.creation.map { DeletionStep("store the names of files", $0) }
      + externalColumns.compactMap { column in
        deleted(column.table).map {
          DeletionStep("store the names of files", column.files(of: $0))
        }
      }
  }

  private var sparingSteps: [DeletionStep] {
    guard !externalColumns.isEmpty else { return [] }
    return sparingColumns.map { DeletionStep("keep the files of remaining rows", $0.sparing()) }
  }

  /// Returns the steps that remove the references of remaining rows to deleted rows. They increment the version of each
  /// of these rows once.
  private func freeingSteps(_ findings: DeletionFindings) -> [DeletionStep] {
    var steps: [DeletionStep] = []
    let references = cleared.filter { findings.count(of: $0) > 0 }
    let memberships = self.memberships.filter { findings.count(of: $0) > 0 && !joins.isEmpty }
    let losses = self.losses.filter { findings.count(in: $0.members.table) > 0 }
    let tables = references.map(\.table) + memberships.map(\.table) + losses.map(\.table)
    for table in Set(tables).sorted() {
      let own = references.filter { $0.table == table }
      let owners =
        memberships.filter { $0.table == table }.map(\.owners)
        + losses.filter { $0.table == table }.map(\.owners)
      let suspension = findings.suspensions[table]
      steps += (suspension?.dropping ?? []).map { DeletionStep("drop an index", $0) }
      // If only one statement changes remaining rows of the table, it also increments their versions.
      if let only = own.first, own.count == 1, owners.isEmpty {
        steps.append(DeletionStep("clear \(only.name)", only.clearing(raisesVersion: true)))
      } else {
        steps += touching(table, own, owners)
        steps += own.map { DeletionStep("clear \($0.name)", $0.clearing(raisesVersion: false)) }
      }
      steps += (suspension?.rebuilding ?? []).map { DeletionStep("create it again", $0) }
    }
    return steps
      + joins.flatMap { join in
        join.statements.map { DeletionStep("remove links", $0) }
      }
  }

  /// Returns the steps that increment the versions of a table's remaining rows in a separate statement, because several
  /// statements remove their references, or because the references aren't in their own columns.
  ///
  /// - Parameter owners: SELECTs of the keys of rows that lose members.
  private func touching(
    _ table: String, _ references: [Reference], _ owners: [SQL]
  ) -> [DeletionStep] {
    let keep: SQL = "INSERT OR IGNORE INTO temp.touched_row"
    let found =
      references.map { reference -> SQL in
        """
        \(keep) SELECT \(name: FixedColumn.primaryKey) FROM \(name: table) \
        WHERE \(reference.condition)
        """
      } + owners.map { "\(keep) \($0)" }
    let all: [SQL] =
      ["CREATE TEMP TABLE touched_row (key INTEGER PRIMARY KEY)"] + found + [
        """
        UPDATE \(name: table) SET \(RowVersions.raising) \
        WHERE \(name: FixedColumn.primaryKey) IN (SELECT key FROM temp.touched_row)
        """, "DROP TABLE temp.touched_row",
      ]
    return all.map { DeletionStep("increment the version of remaining rows", $0) }
  }

  private func deletion(of work: DeletionFindings.TableWork) -> [DeletionStep] {
    guard let deleted = deleted(work.table), work.deleted > 0 else { return [] }
    let purpose = "delete (\(work.way.rawValue))"
    let everything = DeletionStep(purpose, "DELETE FROM \(name: work.table)")
    let suspend = work.suspension.dropping.map { DeletionStep("drop an index", $0) }
    let resume = work.suspension.rebuilding.map { DeletionStep("create it again", $0) }
    switch work.way {
    case .everything: return [everything]
    case .keys: return [DeletionStep(purpose, deleted.deletion(), pieces: deleted)]
    case .withoutIndexes:
      return suspend + [DeletionStep(purpose, deleted.deletion(), pieces: deleted)] + resume
    case .survivors:
      let aside: SQL = "temp.\(name: "surviving_\(work.table)")"
      return suspend + [
        DeletionStep(
          "copy the remaining rows",
          """
          CREATE TABLE \(aside) AS SELECT * FROM \(name: work.table) \
          WHERE \(name: FixedColumn.primaryKey) NOT IN (\(deleted.keys))
          """), everything,
        DeletionStep(
          "insert the remaining rows", "INSERT INTO \(name: work.table) SELECT * FROM \(aside)"),
        DeletionStep("remove the copy", "DROP TABLE \(aside)"),
      ] + resume
    }
  }
}
