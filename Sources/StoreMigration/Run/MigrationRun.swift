import SQLiteAccess
package import StoreDiagnostics
import StoreLayout
import StoreModel
package import StoreCore
import StoreVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs a migration: first checks and a backup, then one transaction. The transaction contains the proof, which
/// compares the rows before and after.
///
/// After an error the store is unchanged, and the backup remains.
package struct MigrationRun {
  private let migration: Migration
  private let steps: [CustomStep]
  private let settings: MigrationSettings
  private let store: Store
  /// The possible paths of the backup, in order of preference; empty if no backup is created.
  private let backupPaths: [LocalPath]
  private let cancellation: Cancellation
  private let progress: (MigrationPhase) -> Void
  private let effort: MigrationEffort

  /// - Parameters:
  ///   - store: the store, which is open exclusively, so that it doesn't change between the checks and the commit.
  ///   - steps: the program's own code between versions.
  ///   - share: a function that is called with the completed share, from 0 to 1, based on numbers of rows.
  package init(
    _ migration: Migration, of store: Store, settings: MigrationSettings = MigrationSettings(),
    steps: [CustomStep] = [], cancellation: Cancellation = .ofProcess,
    progress: @escaping (MigrationPhase) -> Void = { _ in },
    share: @escaping (Double) -> Void = { _ in }
  ) {
    self.migration = migration
    self.steps = steps
    self.settings = settings
    self.store = store
    backupPaths = settings.backup.paths(of: store.path, version: migration.source, at: Date())
    self.cancellation = cancellation
    self.progress = progress
    effort = MigrationEffort(
      of: migration, backsUp: !backupPaths.isEmpty, proves: settings.proves, report: share)
  }

  /// - Throws: `MigrationRunError` if the migration isn't possible, `DatabaseError`, `Cancelled`, and errors of custom
  ///   steps.
  package func run() throws -> MigrationResult {
    let start = ContinuousClock.now
    var result = MigrationResult()
    progress(.checking)
    try store.read(cancellation: cancellation) { try checkBeforehand(on: $0, &result) }
    result.backup = try backUp()
    if result.backup != nil { effort.finishBackup() }
    let before = try stateBefore(result.backup)
    let files = try store.rewrite(lacking: store.gaps, cancellation: cancellation) { connection in
      let files = try execute(on: connection, before, &result)
      result.bytesAfter = try connection.byteCount()
      return files
    }
    store.remove(files)
    result.duration = ContinuousClock.now - start
    return result
  }

  // MARK: Beforehand

  private func checkBeforehand(
    on connection: Connection, _ result: inout MigrationResult
  ) throws {
    result.bytesBefore = try connection.byteCount()
    let preflight = preflight(of: migration, on: connection)
    try preflight.checkAllowedLosses()
    if migration.plans[0].prelude.isEmpty { try preflight.ask(migration.plans[0], &result) }
    try checkSpace(for: result.bytesBefore, on: connection)
  }

  /// Returns a file with the state before the migration, which the proof can read while the steps run; nil if no such
  /// file exists.
  private func stateBefore(_ backup: LocalPath?) throws -> StateBefore? {
    if let backup { return .backup(path: backup) }
    // Without a backup, the store hasn't been checked for damage yet. This is only necessary if rows are rewritten and
    // compared.
    guard settings.proves, migration.rewritesRows else { return nil }
    // Only the first plan can read this file, because later plans start with rows that only exist in the transaction.
    let first = migration.plans[0]
    if first.prelude.isEmpty, !first.proofs.isEmpty, let state = try store.checkpointedState() {
      return state
    }
    try store.read(cancellation: cancellation) { try $0.quickCheck() }
    return nil
  }

  private func preflight(of migration: Migration, on connection: Connection) -> Preflight {
    Preflight(
      migration: migration, settings: settings, connection: connection,
      storeUUID: store.metadata.uuid)
  }

  /// Throws `MigrationRunError.noSpace` if there isn't enough free space. The need is only calculated exactly if there
  /// is less free space than its upper bound.
  private func checkSpace(for bytes: Int64, on connection: Connection) throws {
    var journal = try MigrationCost.bound(of: migration, bytes: bytes, on: connection)
    let target = backupPaths.first
    let shares = target.map { DatabaseFile.isSameDisk($0, store.path) } ?? false
    func free(_ path: LocalPath) -> Int64 { DatabaseFile.freeSpace(beside: path) ?? .max }
    func need() -> Int64 { journal + (shares ? bytes : 0) }
    if free(store.path) < need() {
      journal = try MigrationCost(of: migration, settings: settings, on: connection).journal
    }
    guard free(store.path) >= need() else { throw noSpace(beside: store.path, need(), free) }
    guard let target, !shares, free(target) < bytes else { return }
    throw noSpace(beside: target, bytes, free)
  }

  private func noSpace(
    beside path: LocalPath, _ needed: Int64, _ free: (LocalPath) -> Int64
  ) -> MigrationRunError {
    .noSpace(folder: path.folder.orHere, needed: needed, free: free(path))
  }

  // MARK: Backup

  private func backUp() throws -> LocalPath? {
    guard let last = backupPaths.last else { return nil }
    progress(.backingUp)
    for path in backupPaths.dropLast() {
      do {
        try store.backUp(to: path, cancellation: cancellation)
        return path
      } catch DatabaseError.exists {
        continue
      }
    }
    try store.backUp(to: last, cancellation: cancellation)
    return last
  }

  // MARK: The transaction

  /// - Returns: the external files to delete after the commit, because no value refers to them any more.
  private func execute(
    on connection: Connection, _ before: StateBefore?, _ result: inout MigrationResult
  ) throws -> [String] {
    var migration = migration
    var own = StepRun(
      store: store, connection: connection, steps: steps, cancellation: cancellation)
    var moved: Set<String> = []
    let foreign = try SchemaSnapshot.tableNames(of: connection.databaseSchema())
      .subtracting(migration.plans[0].source.ownTables)
    let unusable = try connection.unusableViews()
    let references = try scriptReferences(of: migration.plans[0].source, on: connection)
    for index in migration.plans.indices {
      let plan = migration.plans[index]
      let preflight = preflight(of: migration, on: connection)
      try run(plan.prelude, of: plan, preflight, &result)
      // The first plan has already been checked, and the store has been locked since then.
      if index > 0 || !plan.prelude.isEmpty { try preflight.ask(plan, &result) }
      for column in plan.movedColumns {
        try connection.forEachFile(in: column) { moved.insert($0) }
      }
      try own.keepRows(before: plan)
      let scans = settings.proves ? plan.proofs : []
      if !scans.isEmpty { progress(.proving) }
      // Another thread can't read the rows with which later plans start, because they only exist in this transaction.
      let isFirst = index == 0 && plan.prelude.isEmpty
      let proof = try ProofRun(scans, on: connection, before: isFirst ? before : nil)
      try run(plan.steps, of: plan, preflight, &result)
      if !scans.isEmpty { progress(.proving) }
      result.proofs += try proof.finish()
      effort.finishProof(of: scans)
      try run(plan.epilogue, of: plan, preflight, &result)
      try run(own.step(of: plan), behind: plan, &own, preflight, on: connection)
      result.notes += plan.notes
      try migration.replan(behind: index, of: store, on: connection)
    }
    try run(
      [migration.metadataStep], of: nil, preflight(of: migration, on: connection), &result)
    if let model = migration.carriedModel { try connection.setModelCache(of: model) }
    try compareReferences(to: references, on: connection)
    try compareSchema(on: connection, besides: foreign)
    if let view = try connection.unusableViews().first(where: { !unusable.contains($0) }) {
      throw MigrationRunError.dependent("error in view \(view.name): \(view.words)")
    }
    try cancellation.check()
    let orphans = store.orphanFiles(at: Date().timeIntervalSince1970)
    return try own.obsoleteFiles + orphans.unnamed(moved, connection)
  }

  private func run(
    _ step: CustomStep?, behind plan: MigrationPlan, _ own: inout StepRun, _ preflight: Preflight,
    on connection: Connection
  ) throws {
    guard let step else { return }
    progress(.customStep(from: step.jump.from, to: step.jump.to))
    try own.run(behind: plan)
    for column in DerivedColumn.all(in: plan.target, storeUUID: store.metadata.uuid)
    where !column.isTime {
      try connection.run(column.update(rows: nil))
    }
    try preflight.askBehindStep(of: plan)
  }

  /// - Parameter plan: the plan of the steps; nil for the metadata.
  private func run(
    _ steps: [MigrationStep], of plan: MigrationPlan?, _ preflight: Preflight,
    _ result: inout MigrationResult
  ) throws {
    let migration = preflight.migration
    for step in steps {
      try cancellation.check()
      result.steps += 1
      progress(.step(number: result.steps, of: migration.steps.count, purpose: step.purpose))
      if let question = step.question, let plan {
        try preflight.ask(question, of: plan, &result)
      } else {
        try store.run(step, on: preflight.connection)
      }
      effort.finish(step)
    }
  }

  /// Returns the references to missing rows, and the missing required values, before the SQL of definitions runs.
  /// Returns nil if the definitions don't contain SQL, or if the settings disable the proof.
  private func scriptReferences(
    of layout: StoreLayout, on connection: Connection
  ) throws -> [StoreFinding]? {
    guard settings.proves,
      migration.plans.contains(where: { !$0.prelude.isEmpty || !$0.epilogue.isEmpty })
    else { return nil }
    return try store.missingReferences(in: layout, connection)
  }

  private func compareReferences(to before: [StoreFinding]?, on connection: Connection) throws {
    guard let before, let target = migration.plans.last?.target else { return }
    let broken = try store.missingReferences(in: target, connection).new(since: before)
    guard broken.isEmpty else { throw MigrationRunError.brokenBySQL(broken) }
  }

  private func compareSchema(on connection: Connection, besides foreign: Set<ExactText>) throws {
    guard let target = migration.plans.last?.target else { return }
    let differences = try SchemaSnapshot(of: connection.databaseSchema(), besides: foreign)
      .differences(to: SchemaSnapshot(of: target))
    guard differences.isEmpty else { throw MigrationRunError.schema(differences) }
  }
}
