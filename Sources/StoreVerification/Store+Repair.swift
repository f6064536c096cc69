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
  /// What a repair has done, or would do.
  package struct RepairResult: Hashable, Sendable {
    /// What was repaired.
    package var findings: [Finding] = []
    /// What is still wrong; files of no row are below.
    package var left: [Finding] = []
    /// Files of no row that are too young to be removed.
    package var youngFiles: [String] = []
    /// Files of no row that may be those which other values miss.
    package var doubtfulFiles: [String] = []
    /// Files of no row that could not be removed; everything else is done all the same.
    package var filesLeft: [String] = []
  }

  /// Repairs what can be repaired without loss, in one transaction: what the store lacks and what
  /// follows from the rest of it is made (`SchemaRepair`), optional references that lead nowhere become
  /// NULL, pairs that do are removed, counters are raised, rows get the number of their entity where it
  /// is certain. The history is written. Then the files that are surely of no row are removed
  /// (`OrphanFiles`).
  ///
  /// - Parameters:
  ///   - now: seconds since 1970, for the age of files.
  ///   - progress: told what comes next.
  /// - Throws: `DatabaseError`, `Cancelled`; the store is then as it was.
  package func repair(
    in layout: StoreLayout, now: Double = Date().timeIntervalSince1970,
    cancellation: Cancellation = .ofProcess, progress: (WorkStep) -> Void = { _ in }
  ) throws -> RepairResult {
    let files = orphanFiles(at: now)
    var gaps: [SchemaGap] = []
    var layout = layout
    var (outcome, removable) = try rewrite(lacking: [], cancellation: cancellation) {
      connection -> (RepairResult, [String]) in
      progress(WorkStep("SQLite checks the file"))
      try connection.refuseDamage()
      let findings = try repairSchema(in: &layout, connection, progress) {
        try repairRows(in: $0, connection, cancellation, progress)
      }
      gaps = layout.gaps(in: try connection.schema(), framework: metadata.frameworkVersion)
      var outcome = RepairResult(findings: findings)
      let removable = try filesToRemove(files, in: layout, connection, &outcome)
      outcome.left = try left(in: layout, connection, progress)
      return (outcome, removable)
    }
    // Only this keeps later writes away.
    note(gaps, of: layout)
    if !removable.isEmpty {
      do {
        removable = try remove(files, &outcome)
        outcome.findings += [Finding.orphanFiles(removable)].compactMap(\.self)
      } catch is DatabaseError {
        // Another process has the store now. What was repaired is committed; the files do no harm.
        outcome.filesLeft = removable
      }
    }
    return outcome
  }

  /// What `repair` would repair now.
  ///
  /// - Throws: `DatabaseError`
  package func repairable(
    in layout: StoreLayout, now: Double = Date().timeIntervalSince1970,
    cancellation: Cancellation = .ofProcess, progress: (WorkStep) -> Void = { _ in }
  ) throws -> RepairResult {
    let files = orphanFiles(at: now)
    progress(WorkStep("SQLite checks the file"))
    return try read(cancellation: cancellation) { connection in
      try connection.refuseDamage()
      let schema = try connection.schema()
      let name = naming(layout, schema)
      let gaps = layout.gaps(in: schema, framework: metadata.frameworkVersion)
      let repair = SchemaRepair(
        connection: connection, schema: schema, gaps: gaps, layout: layout)
      let made = try repair.makable().map { Finding($0, in: layout) }
      let found = try layout.repairableChecks(in: schema).compactMap { check in
        try gaps.skipping { () throws(DatabaseError) in
          try check.ask(connection, name: name)
        }?.settled
      }
      var outcome = RepairResult(findings: made + found)
      let removable = try filesToRemove(files, in: layout, connection, &outcome)
      outcome.findings += [Finding.orphanFiles(removable)].compactMap(\.self)
      outcome.left = try left(in: layout, connection, progress) { $0.repair == nil }
        .filter { !made.contains($0) }
      return outcome
    }
  }

  /// - Parameters:
  ///   - layout: has the usual names of join tables afterwards.
  ///   - rows: repairs the rows of the store with the layout that it then has.
  private func repairSchema(
    in layout: inout StoreLayout, _ connection: Connection, _ progress: (WorkStep) -> Void,
    then rows: (StoreLayout) throws -> [Finding]
  ) throws -> [Finding] {
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
    return (made + indexes).map { Finding($0, in: layout) } + repaired
  }

  private func repairRows(
    in layout: StoreLayout, _ connection: Connection, _ cancellation: Cancellation,
    _ progress: (WorkStep) -> Void
  ) throws -> [Finding] {
    let schema = try connection.schema()
    let name = naming(layout, schema)
    let touched = try TouchedRowVersions(connection)
    let changes = try ChangeRecorder(in: layout, on: connection)
    let gaps = layout.gaps(in: schema)
    var repaired: [Finding] = []
    let checks = layout.repairableChecks(in: schema)
    for (index, check) in checks.enumerated() {
      try cancellation.check()
      progress(WorkStep("repairs, \(index + 1) of \(checks.count)"))
      guard let repair = check.repair,
        let found = try gaps.skipping({ () throws(DatabaseError) in
          try check.ask(connection, name: name)
        })
      else { continue }
      for rows in repair.touched {
        try touched.note(rows)
        guard let property = rows.property else { continue }
        try changes.recordUpdates(of: rows.rows, properties: [property])
      }
      try connection.run(repair.statement)
      repaired.append(found.settled)
    }
    try touched.raise()
    try changes.finish()
    return repaired
  }

  /// What is wrong now, but for files of no row.
  private func left(
    in layout: StoreLayout, _ connection: Connection,
    _ progress: (WorkStep) -> Void = { _ in },
    where isAsked: (VerificationCheck) -> Bool = { _ in true }
  ) throws -> [Finding] {
    try findings(in: layout, connection, progress, where: isAsked).filter {
      $0.kind != .orphanFiles
    }
  }

  /// The files that may go; the others of no row are noted.
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
      // A value whose file has another name now, or whose name is damaged, has not lost it yet.
      outcome.doubtfulFiles = sorted.removable
      return []
    }
    return sorted.removable
  }

  /// After the commit, and asked again under the write lock: since then a row may have come that
  /// names one of the files.
  ///
  /// - Returns: the files that are gone.
  func remove(_ files: OrphanFiles, _ outcome: inout RepairResult) throws -> [String] {
    try write { connection in
      var gone: [String] = []
      for name in try files.sorted(connection).removable {
        switch files.folder.remove(name) {
        case .removed: gone.append(name)
        case .missing: break
        case .left: outcome.filesLeft.append(name)
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
  /// Writing into a damaged file can only make it worse.
  func refuseDamage() throws(DatabaseError) {
    guard case .integrity(let words)? = try integrityFindings().first?.kind else { return }
    throw .damaged(path: path, message: words)
  }
}

/// Counts the version of each row that a repair changes up once, whatever is repaired in it.
private struct TouchedRowVersions {
  private let connection: Connection

  init(_ connection: Connection) throws(DatabaseError) {
    self.connection = connection
    try connection.run("DROP TABLE IF EXISTS temp.repaired_row")
    try connection.run(
      "CREATE TEMP TABLE repaired_row (place TEXT, key INTEGER, PRIMARY KEY (place, key))")
  }

  /// Before the repair: afterwards no condition would find the rows.
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
