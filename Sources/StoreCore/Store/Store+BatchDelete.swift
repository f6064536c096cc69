package import StoreModel
package import PredicateSQL
package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout

extension Store {
  /// The plan or the result of a deletion.
  package struct DeletionReport: Hashable, Sendable {
    package var findings: DeletionFindings
    /// All statements in the order in which they run.
    package var steps: [DeletionStep]
    /// The number of external files that are removed with their rows.
    package var files: Int = 0
    /// The names of files that couldn't be removed, although their rows are deleted.
    package var filesLeft: [String] = []
  }

  /// Finds the rows that a deletion would remove, without changing the store. It only writes temporary tables.
  ///
  /// - Parameters:
  ///   - isPermitted: true to throw `DeletionRefusal` if rows prevent the deletion.
  ///   - then: is called while the keys of all rows to delete are available.
  /// - Throws: `DeletionRefusal`, `DatabaseError`, `Cancelled`; an error of `then`.
  package func dryRunOfDeletion(
    _ plan: DeletePlan, in layout: StoreLayout, isPermitted: Bool = true,
    cancellation: Cancellation = .ofProcess,
    then: (Connection, DeletionReport) throws -> Void = { _, _ in }
  ) throws -> DeletionReport {
    let folder = ExternalFolder(path: externalDataFolder)
    return try rolledBack(cancellation: cancellation) { connection in
      var deletion = Deletion(
        plan: plan, layout: layout, store: metadata.uuid, connection: connection,
        cancellation: cancellation)
      deletion.countsTables = true
      try deletion.find()
      if isPermitted { try deletion.requirePermission() }
      let findings = try deletion.findings()
      let outcome = DeletionReport(
        findings: findings, steps: plan.findingSteps + plan.steps(findings),
        files: try deletion.deletedFiles().count { folder.canRemove($0) })
      try then(connection, outcome)
      return outcome
    }
  }

  /// Deletes rows in one transaction, then removes the external files that no row refers to.
  ///
  /// - Parameter expected: the expected number of deleted rows, including cascades, or nil for any number.
  /// - Throws: `DeletionRefusal`, `UnexpectedCount`, `DatabaseError`, `Cancelled`; an error of `then`. The store is
  ///   then unchanged.
  package func delete(
    _ plan: DeletePlan, in layout: StoreLayout, as origin: HistoryOrigin = .storetool,
    expected: Int? = nil, cancellation: Cancellation = .ofProcess,
    progress: ((BatchProgress) -> Void)? = nil,
    then: (Connection) throws -> Void = { _ in }
  ) throws -> DeletionReport {
    var (result, files) = try transact(as: origin, cancellation: cancellation) { transaction in
      try transaction.delete(
        plan, in: layout, expected: expected, progress: progress, then: then)
    }
    (result.files, result.filesLeft) = (files.removed, files.left)
    return result
  }

  /// Returns a query for the object IDs of the rows that a deletion has removed or would remove. It must run on the
  /// connection of the deletion.
  package func deletedObjectIDs(of plan: DeletePlan) -> CompiledQuery {
    let all = plan.deleted.map { deleted -> SQL in "SELECT key, entity FROM \(deleted.rows)" }
    return CompiledQuery(objectIDs: all.joined(" UNION ALL "))
  }
}

extension OpenTransaction {
  /// Deletes rows. External files that no row refers to any more are removed after the commit. In the result, `files`
  /// is the number of these files.
  ///
  /// - Throws: `DeletionRefusal`, `UnexpectedCount`, `DatabaseError`, `Cancelled`; an error of `then`. The changes must
  ///   then be rolled back.
  package func delete(
    _ plan: DeletePlan, in layout: StoreLayout, expected: Int? = nil,
    progress: ((BatchProgress) -> Void)?,
    then: (Connection) throws -> Void
  ) throws -> Store.DeletionReport {
    var deletion = Deletion(
      plan: plan, layout: layout, store: store.metadata.uuid, connection: connection,
      cancellation: cancellation, session: session)
    deletion.prepareForRecording()
    try deletion.find()
    try deletion.requirePermission()
    let findings = try deletion.findings()
    try UnexpectedCount.refuse(.deletedRows, of: findings.deletedCount, unless: expected)
    try connection.setPageCache(findings.movesKeys ? .wide : .usual)
    let total = findings.deletedCount
    try deletion.run(
      findings,
      progress: progress.map { report in { report(BatchProgress(rows: $0, total: total)) } })
    try then(connection)
    let hasFiles = !plan.externalColumns.isEmpty && findings.deletedCount > 0
    let files = hasFiles ? try connection.deletedFiles() : []
    discard(files)
    return Store.DeletionReport(
      findings: findings, steps: plan.findingSteps + plan.steps(findings), files: files.count)
  }
}

extension Deletion {
  /// Returns the names of the files that would be removed with their rows.
  fileprivate func deletedFiles() throws(DatabaseError) -> [String] {
    guard !plan.externalColumns.isEmpty else { return [] }
    for step in plan.fileSteps { try connection.run(step.sql) }
    for column in plan.sparingColumns {
      try connection.run(column.sparing(outside: plan.deleted(column.table)))
    }
    return try connection.deletedFiles()
  }
}

extension Connection {
  /// Returns the names of the files that the statements of `ExternalColumn` have collected in a temporary table.
  fileprivate func deletedFiles() throws(DatabaseError) -> [String] {
    try texts("SELECT name FROM temp.deleted_file").filter(ExternalFolder.isFileName)
  }
}
