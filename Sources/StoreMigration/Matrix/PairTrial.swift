import SQLiteAccess
import StoreCore
package import StoreDiagnostics
import StoreLayout
package import StoreModel
import StoreSeeding
import StoreVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A test migration: a store of one version with sample rows, which is migrated to another version.
package struct PairTrial {
  /// The number of rows per entity, and the seed of their values.
  package struct Sample: Hashable, Sendable {
    package var rows: Int
    package var seed: UInt64

    package init(rows: Int, seed: UInt64) {
      self.rows = rows
      self.seed = seed
    }
  }

  package struct Result: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable {
      /// The migration succeeded with a proof, and `verify` doesn't find new damage.
      case proved
      /// The migration succeeded with a proof for rows that satisfy the requirements of the target. `problems` lists
      /// the requirements that other rows violate, or the values that other rows lose.
      case conditional
      /// The version hashes are equal, so there is nothing to migrate.
      case same
      /// The migration isn't possible for any rows, or the definition is invalid.
      case refused
      /// The migration failed because of a bug.
      case failed
    }

    package var verdict: Verdict
    /// The number of rows in the store before the migration.
    package var rows = 0
    package var report: MigrationResult?
    package var problems: [PairIssue] = []

    package init(_ verdict: Verdict, problems: [PairIssue] = []) {
      self.verdict = verdict
      self.problems = problems
    }
  }

  private let source: DataModel
  private let names: (from: String, to: String)
  private let mappings: [ModelMapping]
  private let sample: Sample
  private let cancellation: Cancellation

  /// - Parameters:
  ///   - source: the model of the created store. It has the same version hashes as the first mapping's source.
  ///   - mappings: at least one mapping. Each begins at the version where the previous one ends.
  ///   - names: the names of both versions, for messages.
  package init(
    of source: DataModel, by mappings: [ModelMapping], names: (from: String, to: String),
    sample: Sample, cancellation: Cancellation = .ofProcess
  ) {
    self.source = source
    self.mappings = mappings
    self.names = names
    self.sample = sample
    self.cancellation = cancellation
  }

  /// Fills a store and migrates it. If rows stop the migration, migrates a second store whose rows satisfy as many
  /// requirements of the target as possible. Rows that still stop this migration are deleted.
  ///
  /// - Parameter folder: an existing folder for the stores, which are deleted afterwards.
  /// - Throws: errors that don't concern the versions, such as a full disk or `Cancelled`.
  package func run(in folder: LocalPath) throws -> Result {
    let first = try attempt(.none, in: folder)
    guard first.verdict == .refused, first.isByRows else { return first.result }
    let second = try attempt(SeedDemands(of: mappings), removing: true, in: folder)
    var result = second.result
    switch result.verdict {
    case .proved: result.verdict = .conditional
    case .refused where second.isByRows: break
    case .conditional: break
    case .same, .refused, .failed: return result
    }
    result.problems = first.result.problems
    return result
  }

  private struct Attempt {
    var result: Result
    /// Whether rows have stopped the migration.
    var isByRows = false

    var verdict: Result.Verdict { result.verdict }
  }

  /// Fills a store and migrates it.
  ///
  /// - Parameter removes: whether rows that stop the migration are deleted, as long as their entity has other rows.
  private func attempt(
    _ demands: SeedDemands, removing removes: Bool = false, in folder: LocalPath
  ) throws -> Attempt {
    let path: LocalPath = "\(folder)/\(UUID().uuidString).sqlite"
    defer { Store.discardDryRunCopy(path) }
    var attempt = Attempt(result: Result(.proved))
    var rows = 0
    do {
      rows = try fill(path, demands)
      var refused: MigrationRunError?
      repeat {
        do {
          attempt.result = try migrate(path)
          refused = nil
        } catch MigrationRunError.failedChecks(let failed) {
          refused = .failedChecks(failed)
          guard removes, let left = try removeRows(failed, from: path) else { break }
          rows = left
        }
      } while refused != nil
      if let refused { throw refused }
    } catch let error as any DiagnosableError {
      attempt.result = Result(try verdict(on: error), problems: PairIssue.all(of: error))
      if case MigrationRunError.failedChecks = error { attempt.isByRows = true }
    }
    attempt.result.rows = rows
    return attempt
  }

  private func migrate(_ path: LocalPath) throws -> Result {
    let migrated = try VerifiedMigration(
      of: path, by: mappings, from: names.from, to: names.to, cancellation: cancellation)
    let findings = migrated.newFindings.filter { $0.severity == .error }
    let permitted = findings.isEmpty ? migrated.report.permitted : []
    var result =
      permitted.isEmpty
      ? Result(
        findings.isEmpty ? .proved : .failed, problems: findings.map { PairIssue($0.diagnostic) })
      : Result(.conditional, problems: permitted.map(PairIssue.init))
    result.report = migrated.report
    return result
  }

  /// Deletes the rows that failed a check, and returns the number of remaining rows of all entities. Returns nil if no
  /// rows of an entity would remain, the failed rows are unknown, or the types prevent the conversion.
  private func removeRows(_ failed: [FailedCheck], from path: LocalPath) throws -> Int? {
    let store = try Store.open(path, .writing)
    let layout = try store.layout(for: source)
    let left = try store.write(cancellation: cancellation) { connection -> Int? in
      var removed = 0
      for check in failed {
        guard let place = check.source.flatMap(layout.entity(named:)), !check.problem.isOfType
        else { return nil }
        removed += try connection.run(
          """
          DELETE FROM \(name: place.table) \
          WHERE \(name: FixedColumn.primaryKey) IN \(.list(check.keys))
          """)
        guard try connection.integer("SELECT count(*) FROM (\(place.keys))") > 0 else { return nil }
      }
      guard removed > 0 else { return nil }
      return try layout.tables.reduce(0) { count, table in
        count + Int(try connection.integer("SELECT count(*) FROM \(name: table.name)"))
      }
    }
    // The repair clears references to the deleted rows.
    if left != nil { _ = try store.repair(in: layout, cancellation: cancellation) }
    try store.close()
    return left
  }

  private func fill(_ path: LocalPath, _ demands: SeedDemands) throws -> Int {
    _ = try Store.create(at: path, for: source)
    let rows = SampleRows(
      StoreLayout(model: source), count: sample.rows, seed: sample.seed, demands: demands)
    let store = try Store.open(path, .writing)
    _ = try store.layout(for: source)
    try store.write(cancellation: cancellation) { try rows.write(to: $0) }
    try store.close()
    return rows.total
  }

  private func verdict(on error: any DiagnosableError) throws -> Result.Verdict {
    switch error {
    case MigrationRunError.failedChecks, is CheckErrors, is DiagnosticError: return .refused
    default:
      let isOfTheMachine = error.diagnostics.contains { diagnostic in
        switch diagnostic.cause {
        case .inputOutput, .cannotCreate, .busy, .cancelled: true
        case .usage, .invalid, .notFound, .bug, .unknownVersion: false
        }
      }
      if isOfTheMachine { throw error }
      return .failed
    }
  }
}

extension MappingError {
  /// Whether the types prevent a conversion. Deleting the rows with values would leave only rows that pass the check
  /// but don't test the conversion.
  fileprivate var isOfType: Bool {
    if case .typeChange = self { true } else { false }
  }
}

/// A problem of a migration between two versions: its cause, which several pairs of versions can have, and the number
/// of affected rows.
package struct PairIssue: Hashable, Sendable {
  /// The cause. It doesn't mention single rows, so that it is equal for all pairs of versions with this cause.
  package let cause: DiagnosticMessage
  /// The number of affected rows in the sample; nil if the problem doesn't concern rows.
  package let rows: Int?

  package init(_ cause: DiagnosticMessage) {
    self.cause = cause
    rows = nil
  }

  init(_ check: FailedCheck) {
    cause = DiagnosticMessage(
      .error, check.problem.code, check.problem.sentence,
      help: check.problem.remedy.map { [$0] } ?? [])
    rows = check.count
  }

  package static func all(of error: any DiagnosableError) -> [PairIssue] {
    guard case MigrationRunError.failedChecks(let checks) = error else {
      return error.diagnostics.map { PairIssue($0) }
    }
    return checks.map { PairIssue($0) }
  }

  package var code: String { cause.code }

  /// The cause as text, such as `file:1:86: 'Item' has no property 'nmae'`.
  package var causeText: String { (cause.place.map { "\($0): " } ?? "") + cause.message }

  /// The cause and the number of rows, such as `'Entry.mood' is required and has no default, but rows have no
  /// value: 7 rows`.
  package var message: String {
    causeText + (rows.map { ": \($0) \("row".plural($0))" } ?? "")
  }
}
