import SQLiteAccess
package import StoreDiagnostics
package import StoreCore
package import StoreLayout

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Store {
  /// Repairs damage that can be repaired without loss, in one transaction:
  /// - creates missing parts of the schema that follow from the rest of the store (`SchemaRepair`)
  /// - corrects R-trees, derived values, and impossible entity numbers of to-one destinations
  /// - sets optional references to missing rows to NULL, and removes pairs with missing rows
  /// - increases `Z_MAX` if it is less than a key in use
  /// - corrects the entity number (`Z_ENT`) of rows if their entity is certain.
  ///
  /// The history records changes of to-one and many-to-many relationships. After the commit, orphaned files are removed
  /// (`OrphanFiles`), unless a value with a missing file remains.
  ///
  /// - Parameters:
  ///   - now: the current time in seconds since 1970, which determines the age of files.
  ///   - progress: called before each step.
  /// - Throws: `DatabaseError`, `Cancelled`. The store is then unchanged. Errors of removing files aren't thrown.
  package func repair(
    in layout: StoreLayout, now: Double = Date().timeIntervalSince1970,
    cancellation: Cancellation = .ofProcess, progress: (WorkStep) -> Void = { _ in }
  ) throws -> RepairResult {
    let files = orphanFiles(at: now)
    var gaps: [SchemaGap] = []
    var layout = layout
    var (outcome, removable) = try rewrite(lacking: [], cancellation: cancellation) {
      connection -> (RepairResult, [String]) in
      progress(WorkStep("checking the file with SQLite"))
      try connection.refuseDamage()
      let findings = try repairSchema(in: &layout, connection, progress) {
        try repairRows(in: $0, connection, cancellation, progress)
      }
      gaps = layout.gaps(in: try connection.schema(), framework: metadata.frameworkVersion)
      var outcome = RepairResult(repaired: findings)
      let removable = try filesToRemove(files, in: layout, connection, &outcome)
      outcome.remaining = try remaining(in: layout, connection, progress)
      return (outcome, removable)
    }
    // From now on, this `Store` rejects writes that would have wrong results because of the remaining gaps.
    note(gaps, of: layout)
    if !removable.isEmpty {
      do {
        removable = try remove(files, &outcome)
        outcome.repaired += [StoreFinding.files(.orphanFiles, removable)].compactMap(\.self)
      } catch is DatabaseError {
        // For example, another process has locked the store. The repair is committed, and the remaining files are
        // harmless.
        outcome.undeletableFiles = removable
      }
    }
    return outcome
  }

  /// Returns the result that `repair` would have, without changing the store.
  ///
  /// - Throws: `DatabaseError`
  package func repairable(
    in layout: StoreLayout, now: Double = Date().timeIntervalSince1970,
    cancellation: Cancellation = .ofProcess, progress: (WorkStep) -> Void = { _ in }
  ) throws -> RepairResult {
    let files = orphanFiles(at: now)
    progress(WorkStep("checking the file with SQLite"))
    return try read(cancellation: cancellation) { connection in
      try connection.refuseDamage()
      let schema = try connection.schema()
      let name = naming(layout, schema)
      let gaps = layout.gaps(in: schema, framework: metadata.frameworkVersion)
      let repair = SchemaRepair(
        connection: connection, schema: schema, gaps: gaps, layout: layout)
      let made = try repair.makable().map { StoreFinding($0, in: layout, isRepairable: true) }
      let found = try layout.repairableChecks(in: schema)
        .compactMap { try gaps.ask($0, connection, name: name) }
      var outcome = RepairResult(repaired: made + found)
      let removable = try filesToRemove(files, in: layout, connection, &outcome)
      outcome.repaired += [StoreFinding.files(.orphanFiles, removable)].compactMap(\.self)
      outcome.remaining = try remaining(in: layout, connection, progress) { $0.repair == nil }
        .filter { !made.contains($0) }
      return outcome
    }
  }

  /// Repairs the schema before and after the rows.
  ///
  /// - Parameters:
  ///   - layout: the layout, which is updated with the usual names of join tables.
  ///   - rows: repairs the rows of the store with the new layout.
  /// - Returns: the repaired findings, including the findings of `rows`.
  private func repairSchema(
    in layout: inout StoreLayout, _ connection: Connection, _ progress: (WorkStep) -> Void,
    then rows: (StoreLayout) throws -> [StoreFinding]
  ) throws -> [StoreFinding] {
    let schema = try connection.schema()
    let gaps = layout.gaps(in: schema, framework: metadata.frameworkVersion)
    let repair = SchemaRepair(
      connection: connection, schema: schema, gaps: gaps, layout: layout)
    let made = try repair.makeTables()
    let misnamed = made.compactMap { gap in
      if case .joinTableName(let table, _) = gap { table } else { nil }
    }
    layout = layout.namingAsUsual(misnamed)
    let whole =
      made.isEmpty ? layout : StoreLayout(model: layout.model, in: try connection.schema())
    let repaired = try rows(whole)
    let indexes = try repair.makeIndexes(progress) + repair.makeRTrees()
    return (made + indexes).map { StoreFinding($0, in: layout, isRepairable: true) } + repaired
  }

  private func repairRows(
    in layout: StoreLayout, _ connection: Connection, _ cancellation: Cancellation,
    _ progress: (WorkStep) -> Void
  ) throws -> [StoreFinding] {
    let schema = try connection.schema()
    let name = naming(layout, schema)
    let touched = try TouchedRowVersions(connection)
    let changes = try ChangeRecorder(in: layout, on: connection)
    let gaps = layout.gaps(in: schema)
    var repaired: [StoreFinding] = []
    let checks = layout.repairableChecks(in: schema)
    for (index, check) in checks.enumerated() {
      try cancellation.check()
      progress(WorkStep("repair \(index + 1) of \(checks.count)"))
      guard let repair = check.repair, let found = try gaps.ask(check, connection, name: name)
      else { continue }
      for rows in repair.touched {
        try touched.note(rows)
        guard let property = rows.property else { continue }
        try changes.recordUpdates(of: rows.rows, properties: [property])
      }
      try connection.run(repair.statement)
      repaired.append(found)
    }
    try touched.raise()
    try changes.finish()
    return repaired
  }

  /// Returns the remaining findings, except orphaned files.
  private func remaining(
    in layout: StoreLayout, _ connection: Connection,
    _ progress: (WorkStep) -> Void = { _ in },
    where isAsked: (VerificationCheck) -> Bool = { _ in true }
  ) throws -> [StoreFinding] {
    try findings(in: layout, connection, progress, where: isAsked).filter {
      $0.kind != .orphanFiles
    }
  }

  /// Returns the orphaned files that can be removed, and adds the other orphaned files to `outcome`.
  func filesToRemove(
    _ files: OrphanFiles, in layout: StoreLayout, _ connection: Connection,
    _ outcome: inout RepairResult
  ) throws -> [String] {
    let sorted = try files.sorted(connection)
    outcome.youngFiles = sorted.young
    guard !sorted.removable.isEmpty else { return [] }
    let check = ExternalFileCheck(
      layout: layout, schema: try connection.schema(), orphans: files)
    guard try check.isComplete(connection) else {
      // An orphaned file may belong to a value with a missing file: the file may have been renamed, or its name in the
      // row may be damaged. Therefore no file is removed.
      outcome.doubtfulFiles = sorted.removable
      return []
    }
    return sorted.removable
  }

  /// Removes orphaned files after a repair or a compaction. Determines them again under the write lock, because rows
  /// that were added since then may refer to them.
  ///
  /// - Returns: the removed files.
  func remove(_ files: OrphanFiles, _ outcome: inout RepairResult) throws -> [String] {
    try write { connection in
      var gone: [String] = []
      for name in try files.sorted(connection).removable {
        switch files.folder.remove(name) {
        case .removed: gone.append(name)
        case .missing: break
        case .left: outcome.undeletableFiles.append(name)
        }
      }
      return gone
    }
  }
}

extension StoreLayout {
  fileprivate func repairableChecks(in schema: StoreSchema) -> [VerificationCheck] {
    (StoreFileChecks(schema, layout: self).checks + checks(in: schema)).filter { $0.repair != nil }
  }
}

extension Connection {
  /// Throws `DatabaseError.damaged` if the file is damaged, because writes could increase the damage.
  func refuseDamage() throws(DatabaseError) {
    guard let finding = try integrityFindings().first else { return }
    let words = if case .integrity(let words) = finding.kind { words } else { finding.message }
    throw .damaged(path: path, message: words)
  }
}

/// Increments the version (`Z_OPT`) of each row that a repair changes, once per row.
private struct TouchedRowVersions {
  private let connection: Connection

  init(_ connection: Connection) throws(DatabaseError) {
    self.connection = connection
    try connection.makeTemporaryTable(
      "repaired_row", "(place TEXT, key INTEGER, PRIMARY KEY (place, key))")
  }

  /// Records rows. Call this before the repair, because afterwards its condition doesn't match the rows.
  func note(_ touched: VerificationCheck.Touched) throws(DatabaseError) {
    try connection.run(
      """
      INSERT OR IGNORE INTO temp.repaired_row (key, place) \
      SELECT key, \(value: .text(touched.table)) FROM \
      (SELECT NULL AS entity, NULL AS key WHERE FALSE UNION ALL \(touched.rows))
      """)
  }

  func raise() throws(DatabaseError) {
    for row in try connection.rows("SELECT DISTINCT place FROM temp.repaired_row ORDER BY place") {
      guard case .text(let table)? = row.first else { continue }
      try connection.run(
        """
        UPDATE \(name: table) SET \(RowVersions.raising) WHERE \(name: FixedColumn.primaryKey) IN \
        (SELECT key FROM temp.repaired_row WHERE place = \(value: .text(table)))
        """)
    }
    try connection.run("DROP TABLE temp.repaired_row")
  }
}
