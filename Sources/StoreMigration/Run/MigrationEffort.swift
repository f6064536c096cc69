/// How much of a migration lies behind, told in rows: each part weighs as many as it goes through, by the
/// highest keys of the tables, which need not be counted.
final class MigrationEffort {
  private let rows: [String: Double]
  private let total: Double
  private var done = 0.0
  private let report: (Double) -> Void

  /// - Parameter report: told the share that lies behind, from 0 to 1, after each part that counts.
  init(
    of migration: Migration, backsUp: Bool, proves: Bool, report: @escaping (Double) -> Void
  ) {
    var rows: [String: Double] = [:]
    for plan in migration.plans {
      rows.merge(plan.highestKeys.mapValues(Double.init)) { max($0, $1) }
    }
    self.rows = rows
    self.report = report
    let scans = proves ? migration.plans.flatMap(\.proofs) : []
    total =
      (backsUp ? Self.copyWeight * rows.values.reduce(0, +) : 0)
      + migration.steps.reduce(0) { $0 + Self.weight(of: $1, rows) }
      + scans.reduce(0) { $0 + (rows[$1.table] ?? 0) }
  }

  /// A copied row is not looked into.
  private static let copyWeight = 0.5

  private static func weight(of step: MigrationStep, _ rows: [String: Double]) -> Double {
    switch step.effect {
    case .rows(let table): (rows[table] ?? 0) * (step.isDefinition ? copyWeight : 1)
    case .schema, .scratch, .bookkeeping, .script, .question: 0
    }
  }

  func finishBackup() { add(Self.copyWeight * rows.values.reduce(0, +)) }

  func finish(_ step: MigrationStep) { add(Self.weight(of: step, rows)) }

  /// Behind the steps; what was before them is read while they are taken.
  func finishProof(of scans: [ProofScan]) {
    add(scans.reduce(0) { $0 + (rows[$1.table] ?? 0) })
  }

  private func add(_ weight: Double) {
    guard weight > 0, total > 0 else { return }
    done += weight
    report(min(1, done / total))
  }
}
