package import StoreModel
package import PredicateSQL
package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout

extension Store {
  /// A deletion that is worked out, or done.
  package struct DeletionReport: Hashable, Sendable {
    package var findings: DeletionFindings
    /// Every statement, in the order in which it runs.
    package var steps: [DeletionStep]
    /// The files of values that go with their rows.
    package var files: Int = 0
    /// Files that could not be removed; the rows are gone all the same.
    package var filesLeft: [String] = []
  }

  /// Finds out what a deletion would do, and changes nothing: only temporary tables are written.
  ///
  /// - Parameters:
  ///   - isPermitted: whether rows that forbid the deletion are an error here.
  ///   - then: runs while the keys of all rows that would go are at hand.
  /// - Throws: `DeletionRefusal`, `DatabaseError`, `Cancelled`.
  package func dryRunOfDeletion(
    _ plan: DeletePlan, in layout: StoreLayout, isPermitted: Bool = true,
    cancellation: Cancellation = .ofProcess,
    then: (Connection, DeletionReport) throws -> Void = { _, _ in }
  ) throws -> DeletionReport {
    let folder = ExternalFolder(path: externalDataFolder)
    return try rolledBack(cancellation: cancellation) { connection in
      let deletion = Deletion(
        plan: plan, layout: layout, store: metadata.uuid, connection: connection,
        cancellation: cancellation)
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

  /// Deletes, in one transaction, then removes the files of values that no row refers to any more.
  ///
  /// - Parameter expected: how many rows have to go, those of cascades included; nil where any
  ///   number will do.
  /// - Throws: `DeletionRefusal`, `UnexpectedCount`, `DatabaseError`, `Cancelled`; the store is then
  ///   as it was.
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

  /// The IDs of the rows that a deletion has taken, or would take, from the connection that worked
  /// it out.
  package func deletedObjectIDs(of plan: DeletePlan) -> CompiledQuery {
    let all = plan.deleted.map { deleted -> SQL in "SELECT key, entity FROM \(deleted.rows)" }
    return CompiledQuery(objectIDs: all.joined(" UNION ALL "))
  }
}

extension OpenTransaction {
  /// Deletes. The files of values that no row refers to any more go with the commit; `files` counts them.
  ///
  /// - Throws: as `Store.delete`; what was written must then be taken back.
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
  /// The files that would go with their rows.
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
  /// What `ExternalColumn` has gathered.
  fileprivate func deletedFiles() throws(DatabaseError) -> [String] {
    try texts("SELECT name FROM temp.deleted_file").filter(ExternalFolder.isFileName)
  }
}
