import Foundation
import StoreDiagnostics
import StoreEngine
import StoreModel
import StoreModelReader
import TestSupport
import Testing

@testable import StoreMigration

/// Versions of real apps, with stores made for them: each is migrated as `migrate --matrix` does it.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)")) struct CorpusTransitionTests {
  struct Transition: CustomTestStringConvertible, Sendable {
    var bundle: String
    var from: String
    var to: String
    var kind: String

    var testDescription: String { "\(kind) \(bundle) \(from) → \(to)" }
  }

  static let transitions: [Transition] = {
    let rows = (try? Corpus.table("transitions.tsv")) ?? []
    return rows.map {
      Transition(
        bundle: $0["bundle"] ?? "", from: $0["from"] ?? "", to: $0["to"] ?? "",
        kind: $0["class"] ?? "")
    }
  }()

  @Test(arguments: transitions) func consecutiveVersions(_ transition: Transition) throws {
    let path = Corpus.models.appendingPathComponent(transition.bundle).path
    let bundle = try #require(ModelBundle.find(at: path).first)
    let models = try [transition.from, transition.to].map {
      try bundle.version(named: $0).read().model
    }
    let result = try Self.migrate(through: models)
    try Self.note(result, transition.kind, transition.testDescription)
    switch result.verdict {
    case .proved, .same: break
    // What rows may lack, or hold twice.
    case .conditional: #expect(!Self.codes(of: result).isEmpty)
    case .refused:
      #expect(transition.kind == "G" || transition.kind == "D", "\(result.problems)")
      #expect(Self.codes(of: result).isSubset(of: Self.beyondInference), "\(result.problems)")
    case .failed: Issue.record("\(result.problems)")
    }
  }

  /// What stops every row, whatever it holds: a definition must say how it is meant.
  private static let beyondInference: Set = ["migrate.missing-value", "migrate.type-change"]

  /// The paths of all bundles with several versions.
  static let bundles: [String] = {
    let all = (try? ModelBundle.find(at: Corpus.models.path)) ?? []
    return all.filter { $0.versions.count > 1 }.map(\.path)
  }()

  /// Several versions at once: one plan, where the mappings of all steps can be one.
  @Test(arguments: bundles) func firstToLast(_ path: String) throws {
    let bundle = try #require(ModelBundle.find(at: path).first)
    let models = bundle.versions.compactMap { version in try? version.read().model }
    guard models.count > 1 else { return }
    let result = try Self.migrate(through: models)
    try Self.note(result, "first to last", bundle.name)
    #expect(result.verdict != .failed, "\(result.problems)")
    guard result.verdict == .refused else { return }
    #expect(Self.codes(of: result).isSubset(of: Self.beyondInference), "\(result.problems)")
  }

  private static func migrate(through models: [Model]) throws -> PairTrial.Result {
    let (first, last) = (models[0], models[models.count - 1])
    guard ModelFingerprint(of: first).hashes != ModelFingerprint(of: last).hashes else {
      return PairTrial.Result(.same)
    }
    let mappings = zip(models, models.dropFirst()).map {
      MappingInference.infer(ModelPairing(from: $0, to: $1))
    }
    let folder = try TemporaryFolder()
    return try PairTrial(
      of: first, by: mappings, names: ("first", "last"), sample: .init(rows: 3, seed: 1)
    ).run(in: folder.url.path)
  }

  private static func codes(of result: PairTrial.Result) -> Set<String> {
    Set(result.problems.map(\.code))
  }

  /// A line for each of the migrations, into the file that the environment names.
  private static func note(_ result: PairTrial.Result, _ kind: String, _ name: String) throws {
    guard let path = ProcessInfo.processInfo.environment["TRANSITION_TABLE"] else { return }
    let codes = codes(of: result).sorted().joined(separator: ",")
    let proved = result.report.map { "\($0.rowsProved)\t\($0.valuesProved)\t\($0.pairsProved)" }
    let line = "\(kind)\t\(result.verdict)\t\(codes)\t\(proved ?? "\t\t")\t\(name)\n"
    let file = try #require(fopen(path, "a"))
    defer { fclose(file) }
    fputs(line, file)
  }
}
