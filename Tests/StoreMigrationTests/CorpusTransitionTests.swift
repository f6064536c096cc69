import Foundation
import SeededRandom
import StoreDiagnostics
import StoreModel
import StoreModelReader
import TestSupport
import Testing

@testable import StoreLayout
@testable import StoreMigration

/// Versions of real apps with generated stores. Each store is migrated as `migrate matrix` does it.
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

  @Test(arguments: Soak.sample(of: transitions, every: 30))
  func consecutiveVersions(_ transition: Transition) throws {
    let path = Corpus.models.appendingPathComponent(transition.bundle).path
    let bundle = try #require(ModelBundle.find(at: path).first)
    let result = try Self.migrate(
      bundle, from: bundle.version(named: transition.from).name,
      to: bundle.version(named: transition.to).name)
    try Self.note(result, transition.kind, transition.testDescription)
    switch result.verdict {
    case .proved, .same: break
    // Rows may contain NULL or duplicate values.
    case .conditional: #expect(!Self.codes(of: result).isEmpty)
    case .refused:
      #expect(transition.kind == "G" || transition.kind == "D", "\(result.problems)")
      #expect(Self.codes(of: result).isSubset(of: Self.beyondInference), "\(result.problems)")
    case .failed: Issue.record("\(result.problems)")
    }
  }

  /// The errors that affect every row, whatever its values. They require a definition.
  private static let beyondInference: Set = ["migrate.missing-value", "migrate.type-change"]

  /// The paths of all bundles with several versions.
  static let bundles: [String] = {
    let all = (try? ModelBundle.find(at: Corpus.models.path)) ?? []
    return all.filter { $0.versions.count > 1 }.map { "\($0.path)" }
  }()

  /// Migrates over many versions at once. The versions between them only contribute their renames.
  @Test(arguments: Soak.sample(of: bundles, every: 6))
  func firstToLast(_ path: String) throws {
    let bundle = try #require(ModelBundle.find(at: path).first)
    let readable = bundle.versions.filter { (try? $0.read()) != nil }.map(\.name)
    guard let first = readable.first, let last = readable.last, first != last else { return }
    let result = try Self.migrate(bundle, from: first, to: last)
    try Self.note(result, "first to last", bundle.name)
    #expect(result.verdict != .failed, "\(result.problems)")
    guard result.verdict == .refused else { return }
    #expect(Self.codes(of: result).isSubset(of: Self.beyondInference), "\(result.problems)")
  }

  private static func migrate(
    _ bundle: ModelBundle, from old: String, to new: String
  ) throws -> PairTrial.Result {
    let versions = try Self.models(of: bundle)
    let (source, target) = (try #require(versions[old]), try #require(versions[new]))
    guard ModelFingerprint(of: source).hashes != ModelFingerprint(of: target).hashes else {
      return PairTrial.Result(.same)
    }
    let order = VersionOrder(
      of: bundle.versions.map(\.name), current: bundle.currentVersion?.name, migrations: []
    ).names
    let route = try MigrationRoute(
      MigrationPath(from: old, to: new, in: order, definitions: []),
      model: { try #require(versions[$0]) },
      renames: { RenameHistory(of: order) { versions[$0] } }, definition: { _ in nil })
    let folder = try TemporaryFolder()
    let result = try PairTrial(
      of: source, by: route.mappings, names: (old, new), sample: .init(rows: 3, seed: 1)
    ).run(in: LocalPath(folder.url.path))
    let places = ModelPlaces(from: source, to: target)
    for loss in result.report?.losses ?? [] where places.has(loss.name) {
      Issue.record("\(bundle.name) \(old) → \(new): lost \(loss), for which there is a place")
    }
    return result
  }

  private static func models(of bundle: ModelBundle) throws -> [String: DataModel] {
    var models: [String: DataModel] = [:]
    for version in bundle.versions {
      // Unreadable versions aren't part of any transition.
      models[version.name] = try? version.read().model
    }
    return models
  }

  private static func codes(of result: PairTrial.Result) -> Set<String> {
    Set(result.problems.map(\.code))
  }

  /// Appends a line for each migration to the file that the environment variable names.
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
