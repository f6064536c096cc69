public import StoreDiagnostics
import SQLiteAccess
import StoreCore

/// What a migration would do, cost and lose.
public struct MigrationOutlook: Hashable, Sendable {
  /// What a migration takes, as far as it can be told beforehand.
  public struct Cost: Hashable, Sendable {
    /// Free bytes that are needed, backup included.
    public internal(set) var disk: Int64
    /// Of these the bytes of the backup.
    public internal(set) var backup: Int64
    /// Very rough.
    public internal(set) var seconds: Double
  }

  /// One statement.
  public struct Step: Hashable, Sendable {
    /// `adds Item.note`
    public internal(set) var purpose: String
    /// As SQLite gets it, with values in place.
    public internal(set) var sql: String
  }

  public internal(set) var status: MigrationStatus
  /// What the target has no place for, allowed or not.
  public internal(set) var losses: [Loss]
  /// Rows that stand in the way: with any of them the migration is refused.
  public internal(set) var problems: [Diagnostic]
  /// Keys that change, relationships whose order is made up.
  public internal(set) var notes: [String]
  public internal(set) var cost: Cost
  /// What is run, in this order; the program's own steps are not among them.
  public internal(set) var steps: [Step]
  /// Those among the losses that the settings do not allow.
  public internal(set) var refusedLosses: [Loss]

  /// Whether a run would be refused.
  public var isRefused: Bool { !problems.isEmpty || !refusedLosses.isEmpty }

  init(
    of request: RequestedMigration, settings: MigrationSettings, steps own: [CustomStep],
    _ cancellation: Cancellation
  ) throws {
    let migration = try request.migration(of: request.store)
    let cost = try request.store.read(cancellation: cancellation) {
      try MigrationCost(of: migration, settings: settings, on: $0)
    }
    let findings = try MigrationFindings(
      of: migration, in: request.store, settings: settings, steps: own, cancellation: cancellation)
    status = MigrationStatus(of: request)
    losses = findings.losses
    refusedLosses = findings.losses.filter { !settings.allowedLosses.allow($0.name) }
    problems = findings.failedChecks.map(\.diagnostic)
    notes = migration.plans.flatMap(\.notes)
    self.cost = Cost(disk: cost.disk, backup: cost.backup, seconds: cost.seconds)
    steps = migration.steps.map { Step(purpose: $0.purpose, sql: $0.sql.literalText) }
  }
}

extension MigrationOutlook: CustomStringConvertible {
  /// Some lines for a log.
  public var description: String {
    let lost = losses.map { loss in
      "\(refusedLosses.contains(loss) ? "would lose" : "drops") \(loss.name) (\(loss.count))"
    }
    let head = [
      "\(status)",
      "\(steps.count) \("step".plural(steps.count)), \(ByteCount.text(cost.disk)) of disk, about \(Int(cost.seconds.rounded(.up))) s",
    ]
    let text = (head + lost + notes).joined(separator: "\n")
    return text + problems.map { "\n" + DiagnosticRenderer().render($0).dropLast() }.joined()
  }
}
