package import StoreDiagnostics
package import StoreEngine
package import StoreModel

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
      /// Proved for rows that satisfy what the target demands; `problems` says which don't.
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
    package var report: MigrationReport?
    package var problems: [Diagnostic] = []

    package init(_ verdict: Verdict, problems: [Diagnostic] = []) {
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
  /// them.
  ///
  /// - Parameter folder: there; nothing stays in it.
  /// - Throws: what says nothing about the pair: a full disk, `Cancelled`.
  package func run(in folder: String) throws -> Result {
    let first = try attempt(.none, in: folder)
    guard first.verdict == .conditional else { return first }
    var second = try attempt(SampleDemands(of: mappings), in: folder)
    switch second.verdict {
    case .proved: second.verdict = .conditional
    case .conditional: second.verdict = .refused
    case .same, .refused, .failed: return second
    }
    second.problems = first.problems
    return second
  }

  /// Of the verdict `conditional` where rows stand in the way.
  private func attempt(_ demands: SampleDemands, in folder: String) throws -> Result {
    let path = "\(folder)/\(UUID().uuidString).sqlite"
    defer { Store.discardTrial(path) }
    var rows = 0
    var result: Result
    do {
      rows = try fill(path, demands)
      let migrated = try VerifiedMigration(
        of: path, by: mappings, from: names.from, to: names.to, cancellation: cancellation)
      let findings = migrated.newFindings.filter { $0.severity == .error }
      result = Result(findings.isEmpty ? .proved : .failed, problems: findings.map(\.diagnostic))
      result.report = migrated.report
    } catch let error as any DiagnosableError {
      result = Result(try verdict(on: error), problems: error.diagnostics)
    }
    result.rows = rows
    return result
  }

  private func fill(_ path: String, _ demands: SampleDemands) throws -> Int {
    _ = try Store.create(at: path, for: source)
    let rows = SampleRows(
      StoreLayout(model: source), count: sample.rows, seed: sample.seed, demands: demands)
    let store = try Store.open(path, .writing)
    try store.write(cancellation: cancellation) { try rows.write(to: $0) }
    try store.close()
    return rows.total
  }

  private func verdict(on error: any DiagnosableError) throws -> Result.Verdict {
    switch error {
    case MigrationError.failedChecks: return .conditional
    case is CheckFailure, is DiagnosticFailure: return .refused
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
