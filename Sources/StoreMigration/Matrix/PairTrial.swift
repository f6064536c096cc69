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

/// A filled store of one version, made to be migrated to another.
package struct PairTrial {
  /// How many rows each entity gets.
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
      /// Migrated, proved, and `verify` finds nothing that was not there before.
      case proved
      /// Proved for rows that satisfy what the target demands; `problems` says which don't, or what they
      /// have to give up.
      case conditional
      /// The version hashes are equal: nothing to do.
      case same
      /// No rows get through, or the definition is at fault.
      case refused
      /// It went wrong, which it must not.
      case failed
    }

    package var verdict: Verdict
    /// In the store, before.
    package var rows = 0
    package var report: MigrationResult?
    package var problems: [PairIssue] = []

    package init(_ verdict: Verdict, problems: [PairIssue] = []) {
      self.verdict = verdict
      self.problems = problems
    }
  }

  private let source: Model
  private let names: (from: String, to: String)
  private let mappings: [ModelMapping]
  private let sample: Sample
  private let cancellation: Cancellation

  /// - Parameters:
  ///   - source: what the store is made for; the hashes are those of the first mapping's source.
  ///   - mappings: at least one; each begins at the version where the one before it ends.
  ///   - names: of both versions, for messages.
  package init(
    of source: Model, by mappings: [ModelMapping], names: (from: String, to: String),
    sample: Sample, cancellation: Cancellation = .ofProcess
  ) {
    self.source = source
    self.mappings = mappings
    self.names = names
    self.sample = sample
    self.cancellation = cancellation
  }

  /// Fills a store and migrates it; where rows are refused, once more with rows as the target demands
  /// them, and then without those that are refused still.
  ///
  /// - Parameter folder: there; nothing stays in it.
  /// - Throws: what says nothing about the pair: a full disk, `Cancelled`.
  package func run(in folder: FilePath) throws -> Result {
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
    /// Refused for what rows hold.
    var isByRows = false

    var verdict: Result.Verdict { result.verdict }
  }

  /// - Parameter removes: whether rows that are refused are taken out of the store, as long as others of
  ///   their entity are left.
  private func attempt(
    _ demands: SeedDemands, removing removes: Bool = false, in folder: FilePath
  ) throws -> Attempt {
    let path: FilePath = "\(folder)/\(UUID().uuidString).sqlite"
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

  private func migrate(_ path: FilePath) throws -> Result {
    let migrated = try VerifiedMigration(
      of: path, by: mappings, from: names.from, to: names.to, cancellation: cancellation)
    let findings = migrated.newFindings.filter { $0.severity == .error }
    var result = Result(
      findings.isEmpty ? .proved : .failed, problems: findings.map { PairIssue($0.diagnostic) })
    result.report = migrated.report
    if findings.isEmpty, !migrated.report.permitted.isEmpty {
      result = Result(.conditional, problems: migrated.report.permitted.map(PairIssue.init))
      result.report = migrated.report
    }
    return result
  }

  /// How many rows are left; nil where it helps nothing: no row of an entity gets through, or which rows
  /// they are is not known.
  private func removeRows(_ failed: [FailedCheck], from path: FilePath) throws -> Int? {
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
    // What led to them leads nowhere now.
    if left != nil { _ = try store.repair(in: layout, cancellation: cancellation) }
    try store.close()
    return left
  }

  private func fill(_ path: FilePath, _ demands: SeedDemands) throws -> Int {
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
  /// A row that holds nothing gets through, which says nothing for those that hold something.
  fileprivate var isOfType: Bool {
    if case .typeChange = self { true } else { false }
  }
}

/// What stands in the way of a pair of versions: the cause, which other pairs may have, and the rows of this one.
package struct PairIssue: Hashable, Sendable {
  /// Says nothing of single rows, so that it is equal for all pairs that have it.
  package let cause: Diagnostic
  /// How many rows of the sample; nil where it is not about rows.
  package let rows: Int?

  package init(_ cause: Diagnostic) {
    self.cause = cause
    rows = nil
  }

  init(_ check: FailedCheck) {
    cause = Diagnostic(
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

  /// `file:1:86: 'Item' has no property 'nmae'`
  package var causeText: String { (cause.place.map { "\($0): " } ?? "") + cause.message }

  /// The cause, and how many rows: `'Topic' becomes unique by 'name', and rows are not: 1 row`
  package var message: String {
    causeText + (rows.map { ": \($0) \("row".plural($0))" } ?? "")
  }
}
