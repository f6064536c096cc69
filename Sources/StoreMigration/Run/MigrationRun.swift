import StoreSQL
import SQLiteAccess
package import StoreDiagnostics
import StoreLayout
package import StoreEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs a migration: questions, backup, then one transaction with proof.
///
/// Whatever stops it, the store is as it was; a backup that was made stays.
package struct MigrationRun {
  /// What it is about to do, for people who wait.
  package enum Phase: Hashable, Sendable {
    case checking
    case backingUp
    case proving
    case step(number: Int, of: Int, purpose: String)
  }

  private let migration: Migration
  private let settings: MigrationSettings
  private let store: Store
  private let cancellation: Cancellation
  private let progress: (Phase) -> Void

  /// - Parameter store: opened alone, so that nothing changes between the questions and the end.
  package init(
    _ migration: Migration, of store: Store, settings: MigrationSettings = MigrationSettings(),
    cancellation: Cancellation = .ofProcess, progress: @escaping (Phase) -> Void = { _ in }
  ) {
    self.migration = migration
    self.settings = settings
    self.store = store
    self.cancellation = cancellation
    self.progress = progress
  }

  /// - Throws: `MigrationError`, `DatabaseError`, `Cancelled`
  package func run() throws -> MigrationReport {
    let start = ContinuousClock.now
    var report = MigrationReport()
    progress(.checking)
    try store.read(cancellation: cancellation) { connection in
      report.bytesBefore = try connection.byteCount()
      try checkBeforehand(on: connection, &report)
    }
    report.backup = try backUp()
    let before = try stateBefore(report.backup)
    try store.write(cancellation: cancellation) { connection in
      do {
        try execute(on: connection, before, &report)
      } catch MigrationError.step(let purpose, let error) {
        guard let fault = try store.blame(for: error, connection) else {
          throw MigrationError.step(purpose: purpose, error)
        }
        throw MigrationError.unfitStore(purpose: purpose, fault)
      }
      report.bytesAfter = try connection.byteCount()
    }
    report.duration = ContinuousClock.now - start
    return report
  }

  // MARK: Beforehand

  private func checkBeforehand(
    on connection: Connection, _ report: inout MigrationReport
  ) throws {
    let preflight = preflight(on: connection)
    try preflight.checkAllowedLosses()
    if migration.plans[0].prelude.isEmpty { report.add(try preflight.ask(migration.plans[0])) }
    try checkSpace(on: connection)
  }

  /// Where the proof can read what was before while the steps are taken; nil where it can't.
  private func stateBefore(_ backup: String?) throws -> StateBefore? {
    if let backup { return .backup(path: backup) }
    // A backup is checked, and with it the store. Where no row is rewritten nothing can get worse.
    guard settings.proves, migration.rewritesRows else { return nil }
    // What comes later begins with rows that only its transaction knows.
    let first = migration.plans[0]
    if first.prelude.isEmpty, !first.proofs.isEmpty, let state = try store.stateBefore() {
      return state
    }
    try store.read(cancellation: cancellation) { try $0.quickCheck() }
    return nil
  }

  private func preflight(on connection: Connection) -> Preflight {
    Preflight(
      migration: migration, settings: settings, connection: connection,
      storeUUID: store.metadata.uuid)
  }

  /// The exact need is only worked out where the most that it can be is not free.
  private func checkSpace(on connection: Connection) throws {
    let bytes = try connection.byteCount()
    var journal = MigrationCost.bound(of: migration, bytes: bytes)
    let target = backupPath(attempt: 1)
    let shares = target.map { StoreFile.isSameDisk($0, store.path) } ?? false
    func free(_ path: String) -> Int64 { StoreFile.freeSpace(beside: path) ?? .max }
    func need() -> Int64 { journal + (shares ? bytes : 0) }
    if free(store.path) < need() {
      journal = try MigrationCost(of: migration, settings: settings, on: connection).journal
    }
    guard free(store.path) >= need() else { throw noSpace(beside: store.path, need(), free) }
    guard let target, !shares, free(target) < bytes else { return }
    throw noSpace(beside: target, bytes, free)
  }

  private func noSpace(
    beside path: String, _ needed: Int64, _ free: (String) -> Int64
  ) -> MigrationError {
    let folder = StoreFile.folder(of: path)
    return .noSpace(folder: folder.isEmpty ? "." : folder, needed: needed, free: free(path))
  }

  // MARK: Backup

  private func backUp() throws -> String? {
    guard settings.backup != .none else { return nil }
    progress(.backingUp)
    for attempt in 1...Self.attempts {
      guard let target = backupPath(attempt: attempt) else { return nil }
      do {
        try store.backUp(to: target, cancellation: cancellation)
        return target
      } catch DatabaseError.exists where settings.backup == .beside && attempt < Self.attempts {
        continue
      }
    }
    return nil
  }

  /// Two migrations within a second need two names.
  private static let attempts = 20

  private func backupPath(attempt: Int) -> String? {
    switch settings.backup {
    case .none: return nil
    case .at(let path): return path
    case .beside:
      let version = migration.source.map { $0 == "/" || $0 == "\0" ? "_" : $0 }
      let suffix = attempt == 1 ? "" : "-\(attempt)"
      return "\(store.path).\(String(version)).\(Self.timestamp(of: Date()))\(suffix).backup"
    }
  }

  /// `20260131T174501Z`
  static func timestamp(of date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    func digits(_ number: Int?, _ count: Int) -> String {
      let text = String(number ?? 0)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return digits(parts.year, 4) + digits(parts.month, 2) + digits(parts.day, 2) + "T"
      + digits(parts.hour, 2) + digits(parts.minute, 2) + digits(parts.second, 2) + "Z"
  }

  // MARK: The transaction

  private func execute(
    on connection: Connection, _ before: StateBefore?, _ report: inout MigrationReport
  ) throws {
    let preflight = preflight(on: connection)
    let foreign = try SchemaSnapshot.tableNames(of: connection)
      .subtracting(migration.plans[0].source.ownTables)
    let unusable = try connection.unusableViews()
    for (index, plan) in migration.plans.enumerated() {
      try run(plan.prelude, of: plan, on: connection, &report)
      // The first one's questions were asked, and no one else has been at the store since.
      if index > 0 || !plan.prelude.isEmpty { report.add(try preflight.ask(plan)) }
      let scans = settings.proves ? plan.proofs : []
      if !scans.isEmpty { progress(.proving) }
      // What comes later begins with rows that only this transaction knows.
      let isFirst = index == 0 && plan.prelude.isEmpty
      let proof = try ProofRun(scans, on: connection, before: isFirst ? before : nil)
      try run(plan.steps, of: plan, on: connection, &report)
      if !scans.isEmpty { progress(.proving) }
      report.proofs += try proof.finish()
      try run(plan.epilogue, of: plan, on: connection, &report)
      report.notes += plan.notes
    }
    try run([migration.metadataStep], of: nil, on: connection, &report)
    try compareSchema(on: connection, besides: foreign)
    if let view = try connection.unusableViews().first(where: { !unusable.contains($0) }) {
      throw MigrationError.dependent("error in view \(view.name): \(view.words)")
    }
    try cancellation.check()
  }

  /// - Parameter plan: nil for what belongs to none.
  private func run(
    _ steps: [MigrationStep], of plan: MigrationPlan?, on connection: Connection,
    _ report: inout MigrationReport
  ) throws {
    for step in steps {
      try cancellation.check()
      report.steps += 1
      progress(.step(number: report.steps, of: migration.steps.count, purpose: step.purpose))
      if let question = step.question, let plan {
        report.add(try preflight(on: connection).ask(question, of: plan))
      } else {
        try connection.run(step)
      }
    }
  }

  private func compareSchema(on connection: Connection, besides foreign: Set<String>) throws {
    guard let target = migration.plans.last?.target else { return }
    let differences = try SchemaSnapshot(of: connection, besides: foreign)
      .differences(to: SchemaSnapshot(of: target))
    guard differences.isEmpty else { throw MigrationError.schema(differences) }
  }
}

extension MigrationReport {
  fileprivate mutating func add(_ answers: Preflight.Answers) {
    losses += answers.losses
    permitted += answers.permitted
  }
}

extension Connection {
  /// Runs one statement of a plan.
  ///
  /// - Throws: `MigrationError.step` for a statement that the rows or SQLite refuse; `DatabaseError` for
  ///   what can happen to any.
  func run(_ step: MigrationStep) throws {
    do throws(DatabaseError) {
      if step.effect == .script {
        try runScript(step.sql.literalText)
      } else if step.isDefinition {
        try define(step.sql)
      } else if !step.needsJournal {
        try runWithoutJournal(step.sql)
      } else {
        try run(step.sql)
      }
    } catch {
      switch error {
      case .sql(_, _, let words) where step.effect == .script:
        throw MigrationError.definitionSQL(words)
      case .sql(_, _, let words) where words.isAboutDependent: throw MigrationError.dependent(words)
      case .sql, .constraint, .unfitValue, .tooComplex, .damaged, .noPermission:
        throw MigrationError.step(purpose: step.purpose, error)
      default: throw error
      }
    }
  }
}

extension String {
  /// How SQLite begins when ALTER TABLE would leave a view or trigger that can't be used: it has no code of its own for that.
  /// Core Data's triggers are dropped before. Without "after" it is one that could not be used before either.
  fileprivate var isAboutDependent: Bool {
    (hasPrefix("error in view ") || hasPrefix("error in trigger ")) && contains(" after ")
  }
}
