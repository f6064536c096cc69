import PredicateSQL
package import SQLiteAccess
import StoreCore
import StoreDiagnostics

/// The estimated cost of a migration.
package struct MigrationCost: Hashable, Sendable {
  package struct Table: Hashable, Sendable {
    package var transition: TableTransition
    /// The number of rows in the current table; nil if the table is new or its rows don't change.
    package var rows: Int64?
    /// The size of the current table in bytes, including indexes; nil if `rows` is nil.
    package var bytes: Int64?
  }

  package var tables: [Table]
  /// The required free bytes in the store's folder, for the journal and for tables that exist twice.
  package var journal: Int64
  /// The required free bytes in the folder of the backup.
  package var backup: Int64
  /// A very rough estimate of the duration in seconds.
  package var seconds: Double

  package var disk: Int64 { journal + backup }

  /// Estimates the cost. If rows are rewritten, reads every page of the store.
  ///
  /// - Throws: `DatabaseError` if the store can't be read.
  package init(
    of migration: Migration, settings: MigrationSettings, on connection: Connection
  ) throws(DatabaseError) {
    let all = try connection.byteCount()
    let counts = migration.rewritesRows ? try connection.byteCounts() : [:]
    tables = []
    journal = Self.schemaBytes
    // Only the first plan is measured, because later plans start with its results, which don't exist yet.
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

  /// Returns an upper bound of the required free bytes in the store's folder. External files are only counted if their
  /// values move into rows.
  ///
  /// - Throws: `DatabaseError` if the store can't be read.
  static func bound(
    of migration: Migration, bytes: Int64, on connection: Connection
  ) throws(DatabaseError) -> Int64 {
    guard migration.rewritesRows else { return schemaBytes }
    return try 2 * bytes * Int64(migration.plans.count) + movedBytes(of: migration, on: connection)
  }

  /// Returns the bytes that values from external files require in the store's file and in the journal. Only the values
  /// of the first plan are counted, because later plans start with rows that don't exist yet.
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

  /// The bytes for changes of the schema and of Core Data's own tables.
  private static let schemaBytes: Int64 = 1 << 20

  /// Estimates the duration with assumed rates. They are only exact enough to distinguish seconds from minutes.
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

/// The progress of a migration. The weight of the backup, a step or a scan is the number of rows that it visits,
/// estimated by the highest keys of the tables, so that rows needn't be counted.
final class MigrationEffort {
  private let rows: [String: Double]
  private let total: Double
  private var done = 0.0
  private let report: (Double) -> Void

  /// - Parameter report: a function that is called with the completed share, from 0 to 1, after each part with a
  ///   weight.
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

  /// The weight of a row that is copied without reading its values.
  private static let copyWeight = 0.5

  private static func weight(of step: MigrationStep, _ rows: [String: Double]) -> Double {
    switch step.effect {
    case .rows(let table): (rows[table] ?? 0) * (step.isDefinition ? copyWeight : 1)
    case .schema, .scratch, .bookkeeping, .script, .question: 0
    }
  }

  func finishBackup() { add(Self.copyWeight * rows.values.reduce(0, +)) }

  func finish(_ step: MigrationStep) { add(Self.weight(of: step, rows)) }

  /// Adds the scans of a proof that run after the steps. The scans before the steps aren't counted, because they
  /// usually run concurrently with the steps.
  func finishProof(of scans: [ProofScan]) {
    add(scans.reduce(0) { $0 + (rows[$1.table] ?? 0) })
  }

  private func add(_ weight: Double) {
    guard weight > 0, total > 0 else { return }
    done += weight
    report(min(1, done / total))
  }
}
