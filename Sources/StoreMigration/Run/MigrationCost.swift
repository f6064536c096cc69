import PredicateSQL
package import SQLiteAccess
import StoreCore
import StoreDiagnostics

/// What a migration takes, as far as it can be told beforehand.
package struct MigrationCost: Hashable, Sendable {
  package struct Table: Hashable, Sendable {
    package var transition: TableTransition
    /// Of the table as it is; nil where its rows are not touched.
    package var rows: Int64?
    /// With its indexes.
    package var bytes: Int64?
  }

  package var tables: [Table]
  /// Free bytes that are needed beside the store, for the journal and for tables that exist twice.
  package var journal: Int64
  /// Free bytes that are needed where the backup goes.
  package var backup: Int64
  /// Very rough.
  package var seconds: Double

  package var disk: Int64 { journal + backup }

  /// Reads every page of tables that are rewritten, to count.
  ///
  /// - Throws: `DatabaseError`
  package init(
    of migration: Migration, settings: MigrationSettings, on connection: Connection
  ) throws(DatabaseError) {
    let all = try connection.byteCount()
    let counts = migration.rewritesRows ? try connection.byteCounts() : [:]
    tables = []
    journal = Self.smallChange
    // Later plans work on what the first one has left, which is not there yet.
    for transition in migration.plans[0].tables {
      var table = Table(transition: transition)
      if transition.strategy.rewritesRows, let from = transition.from {
        table.rows = try connection.integer("SELECT count(*) FROM \(name: from)")
        table.bytes = counts.map { $0[from] ?? 0 } ?? all
        journal += (table.bytes ?? 0) * transition.strategy.copies
      }
      tables.append(table)
    }
    if migration.plans.count > 1 { journal = max(journal, 2 * all) }
    journal += try Self.movedBytes(of: migration, on: connection)
    backup = settings.backup == .none ? 0 : all
    seconds = Self.seconds(tables, backup: backup, proofs: settings.proves ? migration.proofs : [])
  }

  /// Returns an upper limit for the free bytes that are needed beside the store. Only the files of values that move into
  /// rows are counted.
  ///
  /// - Throws: `DatabaseError`
  static func bound(
    of migration: Migration, bytes: Int64, on connection: Connection
  ) throws(DatabaseError) -> Int64 {
    guard migration.rewritesRows else { return smallChange }
    return try 2 * bytes * Int64(migration.plans.count) + movedBytes(of: migration, on: connection)
  }

  /// Returns the bytes that values from files take in the store's file and in the journal. Later plans begin with rows
  /// that do not exist yet.
  private static func movedBytes(
    of migration: Migration, on connection: Connection
  ) throws(DatabaseError) -> Int64 {
    var bytes: Int64 = 0
    for column in migration.plans[0].movedColumns {
      let size = StoredBytes.fileSize(SQL.name(column.column))
      bytes += try connection.integer(
        "SELECT coalesce(sum(\(size)), 0) FROM \(name: column.table) WHERE \(column.isMarked)")
    }
    return 2 * bytes
  }

  /// For the schema and Core Data's own tables.
  private static let smallChange: Int64 = 1 << 20

  /// By assumed rates: good for telling seconds from minutes.
  private static func seconds(_ tables: [Table], backup: Int64, proofs: [ProofScan]) -> Double {
    let work = tables.reduce(0.0) { sum, table in
      sum + Double(table.bytes ?? 0) / table.transition.strategy.bytesPerSecond
    }
    let values = proofs.reduce(0.0) { sum, scan in
      let rows = tables.first { $0.transition.to == scan.table }?.rows ?? 0
      return sum + Double(rows) * Double(scan.columns.count + 1)
    }
    return work + Double(backup) / 150e6 + 2 * values / 8e6
  }
}

extension Migration {
  fileprivate var proofs: [ProofScan] { plans.flatMap(\.proofs) }
}

extension TableTransition.Strategy {
  fileprivate var bytesPerSecond: Double {
    switch self {
    case .unchanged, .create, .schema: .infinity
    case .drop: 400e6
    case .update, .dropColumns: 70e6
    case .rebuild: 40e6
    }
  }
}

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
