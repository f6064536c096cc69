import SQLiteAccess
package import StoreDiagnostics
package import StoreCore
package import StoreLayout

extension Store {
  /// Searches the store for damage without changing it.
  ///
  /// - Parameters:
  ///   - layout: the layout of the store's model. Without it, only checks that don't require a model are run.
  ///   - progress: called before each check.
  /// - Returns: the findings. If the file is damaged, only the findings about the file.
  /// - Throws: `DatabaseError`, `Cancelled`
  package func verify(
    in layout: StoreLayout?, cancellation: Cancellation = .ofProcess,
    progress: (WorkStep) -> Void = { _ in }
  ) throws -> [StoreFinding] {
    try read(cancellation: cancellation) { connection in
      try verify(in: layout, on: connection) { step in
        try cancellation.check()
        progress(step)
      }
    }
  }

  /// Searches the store for damage in a read transaction.
  ///
  /// - Parameters:
  ///   - layout: the layout of the store's model. Without it, only checks that don't require a model are run.
  ///   - connection: a connection to the store, in a read transaction.
  ///   - progress: called before each check.
  /// - Returns: the findings. If the file is damaged, only the findings about the file.
  /// - Throws: `DatabaseError`, and errors of `progress`
  func verify(
    in layout: StoreLayout?, on connection: Connection, _ progress: (WorkStep) throws -> Void
  ) throws -> [StoreFinding] {
    try progress(WorkStep("checking the file with SQLite"))
    let damage = try connection.integrityFindings()
    // The content of a damaged file would cause misleading findings.
    guard damage.isEmpty else { return damage }
    return try findings(in: layout, connection, progress)
  }

  /// Returns the findings of all checks except the integrity check.
  ///
  /// - Parameters:
  ///   - progress: called before each check.
  ///   - isAsked: returns whether to run a check.
  func findings(
    in layout: StoreLayout?, _ connection: Connection,
    _ progress: (WorkStep) throws -> Void = { _ in },
    where isAsked: (VerificationCheck) -> Bool = { _ in true }
  ) throws -> [StoreFinding] {
    let schema = try connection.schema()
    let file = StoreFileChecks(schema, layout: layout)
    let name = naming(layout, schema)
    let gaps =
      layout?.gaps(in: schema, framework: metadata.frameworkVersion)
      ?? schema.fixedGaps + file.missingTables
    // If `Z_METADATA` lacks a column, only this gap is reported, and not the missing values.
    var findings = gaps.contains { $0.isOfMetadata } ? [] : metadata.findings
    findings += try connection.unusableTables().map {
      StoreFinding(.unreadableTable($0.name, words: $0.words))
    }
    let makable = try layout.flatMap { layout in
      let repair = SchemaRepair(connection: connection, schema: schema, gaps: gaps, layout: layout)
      return try gaps.skipping { () throws(DatabaseError) in Set(try repair.makable()) }
    }
    findings += gaps.map {
      StoreFinding($0, in: layout, isRepairable: makable?.contains($0) ?? false)
    }
    findings += file.disagreements
    let checks = (file.checks + (layout?.checks(in: schema) ?? [])).filter(isAsked)
    for (index, check) in checks.enumerated() {
      try progress(.check(index + 1, of: checks.count))
      findings += [try gaps.ask(check, connection, name: name)].compactMap(\.self)
    }
    guard let layout else { return findings.map(\.withoutRepair) }
    let external = ExternalFileCheck(layout: layout, schema: schema, orphans: orphanFiles(at: 0))
    return try findings
      + (gaps.skipping { () throws(DatabaseError) in try external.findings(connection, name: name) }
        ?? [])
  }

  /// Returns the numbers of tables and rows, without `Z_METADATA`, `Z_PRIMARYKEY`, `Z_MODELCACHE` and SQLite's tables.
  ///
  /// - Throws: `DatabaseError`
  package func extent(cancellation: Cancellation = .ofProcess) throws -> (tables: Int, rows: Int) {
    try read(cancellation: cancellation) { connection in
      let tables = try connection.databaseSchema().tables.keys.filter {
        !FixedTable.all.contains($0) && !$0.hasPrefix("sqlite_")
      }
      let rows = try tables.map {
        Int(try connection.integer("SELECT count(*) FROM \(name: $0)"))
      }.reduce(0, +)
      return (tables.count, rows)
    }
  }

  /// - Parameter now: the current time in seconds since 1970, which determines the age of files.
  package func orphanFiles(at now: Double) -> OrphanFiles {
    OrphanFiles(folder: ExternalFolder(path: externalDataFolder), store: path.followed, now: now)
  }

  /// Returns a function that returns the object ID of a row.
  func naming(
    _ layout: StoreLayout?, _ schema: StoreSchema
  ) -> (_ entity: Int64, _ key: Int64) -> String {
    let names = Dictionary(schema.primaryKeys.map { ($0.number, $0.name) }) { first, _ in first }
    let uuid = metadata.uuid
    return { entity, key in
      let name = layout?.entity(numbered: entity)?.name ?? names[entity] ?? "\(entity)"
      return "x-coredata://\(uuid)/\(name)/p\(key)"
    }
  }
}

extension WorkStep {
  /// Returns the step of a check. Its share starts at 0.25, because SQLite's check of the file takes about a third as
  /// long as all other checks together.
  static func check(_ number: Int, of count: Int) -> WorkStep {
    let share = Double(number - 1) / Double(max(count, 1))
    return WorkStep("check \(number) of \(count)", share: 0.25 + 0.75 * share)
  }
}

extension StoreFinding {
  /// For `shortCounter`, moves the highest key from the examples to the kind. Other findings remain as they are.
  var settled: StoreFinding {
    guard case .shortCounter(let counter, _) = kind else { return self }
    var finding = self
    finding.kind = .shortCounter(counter, highest: examples.first.flatMap { Int64($0) } ?? 0)
    finding.examples = []
    return finding
  }

  /// The finding of a check without a model, which a repair would need.
  fileprivate var withoutRepair: StoreFinding {
    var finding = self
    finding.isRepairable = false
    return finding
  }
}

extension SchemaGap {
  fileprivate var isOfMetadata: Bool {
    if case .column(_, let table) = self { table == FixedTable.metadata } else { false }
  }
}

extension [SchemaGap] {
  /// Returns the result of `question`. If its SQL fails and the schema has gaps, returns nil, because the gaps are
  /// probably the reason and are separate findings.
  func skipping<Answer>(
    _ question: () throws(DatabaseError) -> Answer?
  ) throws(DatabaseError) -> Answer? {
    do {
      return try question()
    } catch .sql where !isEmpty {
      return nil
    }
  }
}

extension [SchemaGap] {
  /// Runs a check. Returns nil if it doesn't find anything, or if its SQL fails and the schema has gaps.
  func ask(
    _ check: VerificationCheck, _ connection: Connection,
    name: (_ entity: Int64, _ key: Int64) -> String
  ) throws(DatabaseError) -> StoreFinding? {
    try skipping { () throws(DatabaseError) in try check.ask(connection, name: name) }
  }
}

extension Connection {
  /// Runs SQLite's integrity check of the file, and checks that its last page is complete.
  func integrityFindings() throws(DatabaseError) -> [StoreFinding] {
    let kinds =
      try check(.whole).map(StoreFinding.Kind.integrity) + [truncation()].compactMap(\.self)
    return kinds.map { StoreFinding($0) }
  }

  /// Returns a finding if the file ends within its last page. SQLite's check accepts such a file, because SQLite reads
  /// the missing bytes as zeros.
  private func truncation() throws(DatabaseError) -> StoreFinding.Kind? {
    let pageSize = try integer("PRAGMA page_size")
    // Whole pages can be missing in the main file, because the -wal file contains them.
    guard let size = path.status()?.size, size % pageSize != 0,
      size < (try integer("PRAGMA page_count")) * pageSize
    else { return nil }
    return .truncated(missingBytes: pageSize - size % pageSize)
  }
}
