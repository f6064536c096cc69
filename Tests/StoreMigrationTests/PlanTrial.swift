import StoreDiagnostics
@testable import StoreVerification
@testable import SQLiteAccess
@testable import StoreImport
@testable import StoreLayout
@testable import StoreCore
import Foundation
import StoreModel
import StoreSeeding
import TestSupport

@testable import StoreMigration

/// A filled store of one model that is migrated to another by a plan alone, without preflight or backup.
struct PlanTrial {
  struct Result {
    var plan: MigrationPlan
    /// The problems of rows before the migration.
    var problems: [MappingError] = []
    /// The dropped properties with counts.
    var losses: [String: Int64] = [:]
    /// The errors that are found after the migration.
    var failures: [String] = []
  }

  let folder: TemporaryFolder
  let path: String
  /// The model version of the store.
  var source: DataModel

  init(_ source: DataModel, rows: Int = 6, seed: UInt64 = 1) throws {
    folder = try TemporaryFolder()
    path = folder.path("Store.sqlite")
    self.source = source
    _ = try Store.create(at: LocalPath(path), for: source)
    let layout = StoreLayout(model: source)
    try Store.open(LocalPath(path), .writing).write {
      try SampleRows(layout, count: rows, seed: seed).write(to: $0)
    }
  }

  func integer(_ sql: SQL) throws -> Int64 {
    try Store.open(LocalPath(path), .reading).read { try $0.integer(sql) }
  }

  func migrate(
    to target: DataModel, by mapping: ModelMapping? = nil, ignoringProblems: Bool = false
  ) throws -> Result {
    let store = try Store.open(LocalPath(path), .writing)
    let mapping = mapping ?? MappingInference.infer(ModelPairing(from: source, to: target))
    let layout = try store.layout(for: source)
    return try store.write { connection in
      let source = try SourceStore(layout, connection.schema(), connection)
      let found = try Self.findings(layout, connection)
      let plan = try MigrationPlanner.plan(
        mapping, from: source, to: StoreLayout(model: target))
      var outcome = Result(plan: plan)
      for check in plan.checks where try !connection.rows(check.offenders).isEmpty {
        outcome.problems.append(check.problem)
      }
      guard outcome.problems.isEmpty || ignoringProblems else { return outcome }
      for loss in plan.losses {
        let count = try connection.integer(loss.count)
        if count > 0 { outcome.losses[loss.name] = count }
      }
      let before = try plan.proofs.map { try Self.sorted($0.before, connection) }
      for step in plan.steps {
        do {
          try store.run(step, on: connection)
        } catch {
          outcome.failures.append("\(step.sql.literalText): \(error)")
          return outcome
        }
      }
      for (proof, expected) in zip(plan.proofs, before) {
        let after = try Self.sorted(proof.after, connection)
        if after != expected {
          let differing = zip(expected, after).first { $0 != $1 }
          outcome.failures.append(
            "\(proof.subject) \(proof.columns): \(expected.count) and \(after.count) rows; \(differing.map { "\($0)" } ?? "")"
          )
        }
      }
      outcome.failures += try Self.schemaDifferences(plan.target, connection)
      let findings = try Self.findings(plan.target, connection)
      if found.isEmpty { outcome.failures += findings }
      return outcome
    }
  }

  /// Returns sorted rows in which numbers are independent of their storage class.
  private static func sorted(_ sql: SQL, _ connection: Connection) throws -> [[String]] {
    try connection.rows(sql).map { row in
      row.map { value in
        if case .integer(let number) = value {
          "\(SQLiteValue.real(Double(number)))"
        } else {
          "\(value)"
        }
      }
    }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func schemaDifferences(
    _ target: StoreLayout, _ connection: Connection
  ) throws -> [String] {
    let found = try connection.databaseSchema()
    let expected = DatabaseSchema(of: target)
    var differences: [String] = []
    let own: Set = [
      "Z_PRIMARYKEY", "Z_METADATA", "sqlite_stat1", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION",
      "ATRANSACTIONSTRING",
    ]
    for name in Set(found.tables.keys).union(expected.tables.keys).subtracting(own).sorted() {
      let pair = (found.tables[name], expected.tables[name])
      let columns = (pair.0.map(Self.columns), pair.1.map(Self.columns))
      if columns.0 != columns.1 {
        differences.append(
          "table \(name): \(columns.0.map { $0.subtracting(columns.1 ?? []).sorted() } ?? ["missing"]) instead of \(columns.1.map { $0.subtracting(columns.0 ?? []).sorted() } ?? ["nothing"])"
        )
      }
      if let one = pair.0?.primaryKey, let other = pair.1?.primaryKey, one != other {
        differences.append("table \(name): primary key \(one) instead of \(other)")
      }
    }
    let indexes = (
      Set(found.tables.values.filter { !own.contains($0.name) }.flatMap(Self.indexes)),
      Set(expected.tables.values.flatMap(Self.indexes))
    )
    differences += indexes.0.subtracting(indexes.1).sorted().map { "index too many: \($0)" }
    differences += indexes.1.subtracting(indexes.0).sorted().map { "index missing: \($0)" }
    let triggers = (Set(found.triggers.map(\.definition)), Set(expected.triggers.map(\.definition)))
    if triggers.0 != triggers.1 { differences.append("triggers differ") }
    return differences
  }

  private static func columns(_ table: DatabaseSchema.Table) -> Set<String> {
    Set(table.columns.map { "\($0.name) \($0.declaredType.split(separator: " ")[0])" })
  }

  private static func indexes(_ table: DatabaseSchema.Table) -> [String] {
    table.indexes.filter { $0.definition != nil }.map { index in
      let columns = index.parts.map { "\($0.column ?? "")\($0.isAscending ? "" : "-")" }
      return "\(index.name) ON \(table.name) \(columns) \(index.isUnique) \(index.condition ?? "")"
    }
  }

  /// Returns the issues of rows that `verify` finds.
  private static func findings(
    _ target: StoreLayout, _ connection: Connection
  ) throws -> [String] {
    try target.checks(in: connection.schema()).compactMap { check in
      try check.ask(connection) { "\($0) p\($1)" }.map { "\($0)" }
    }
  }
}
