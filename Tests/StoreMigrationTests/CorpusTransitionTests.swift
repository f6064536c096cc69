import Foundation
import StoreModel
import StoreModelReader
import TestSupport
import Testing

@testable import StoreMigration

/// Every consecutive pair of versions of real apps, with a filled store.
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

  @Test(arguments: transitions) func everyStepOfTheClassesAToF(_ transition: Transition) throws {
    let path = Corpus.models.appendingPathComponent(transition.bundle).path
    let bundle = try #require(ModelBundle.find(at: path).first)
    func model(_ name: String) throws -> Model {
      try bundle.version(named: name).read().model
    }
    let (source, target) = (try model(transition.from), try model(transition.to))
    let outcome = try PlanTrial(source, rows: 3).migrate(to: target)
    if !outcome.problems.isEmpty, transition.kind == "G" || transition.kind == "D" { return }
    #expect(outcome.problems.isEmpty)
    #expect(outcome.failures.isEmpty)
  }

  /// The paths of all bundles with several versions.
  static let bundles: [String] = {
    let all = (try? ModelBundle.find(at: Corpus.models.path)) ?? []
    return all.filter { $0.versions.count > 1 }.map(\.path)
  }()

  /// Several versions at once: one plan, where the mappings of all steps can be one.
  @Test(arguments: bundles) func firstToLast(_ path: String) throws {
    let bundle = try #require(ModelBundle.find(at: path).first)
    let models = bundle.versions.compactMap { version in try? version.read().model }
    guard let first = models.first, let last = models.last, models.count > 1 else { return }
    let trial = try PlanTrial(first, rows: 3)
    let outcome = try trial.migrate(to: last, by: Self.mapping(through: models))
    for problem in outcome.problems {
      // What rows lack, or what no conversion keeps: nothing is done then.
      if case .abstractEntity = problem { Issue.record("\(problem)") }
    }
    #expect(outcome.failures.isEmpty)
  }

  /// The mappings of all steps as one; directly where that can't be.
  private static func mapping(through models: [Model]) -> ModelMapping {
    let steps = zip(models, models.dropFirst()).map {
      MappingInference.infer(ModelPairing(from: $0, to: $1))
    }
    var mapping: ModelMapping? = steps[0]
    for step in steps.dropFirst() { mapping = mapping?.followed(by: step) }
    return mapping
      ?? MappingInference.infer(ModelPairing(from: models[0], to: models[models.count - 1]))
  }

  struct StoreOfBundle: CustomTestStringConvertible, Sendable {
    var store: String
    var bundle: String
    var version: String

    var testDescription: String { "\(store) \(bundle) \(version)" }
  }

  static let stores: [StoreOfBundle] = {
    let rows = (try? Corpus.table("store-models.tsv")) ?? []
    return rows.compactMap { row in
      let parts = (row["model"] ?? "").split(separator: "/").map(String.init)
      guard let store = row["store"],
        let bundle = parts.firstIndex(where: { $0.hasSuffix(".xcdatamodeld") })
      else { return nil }
      return StoreOfBundle(
        store: store, bundle: parts[...bundle].joined(separator: "/"), version: parts[bundle + 1])
    }
  }()

  @Test(arguments: stores) func realStoresReachTheCurrentVersion(_ pair: StoreOfBundle) throws {
    let path = Corpus.models.appendingPathComponent(pair.bundle).path
    let bundle = try #require(ModelBundle.find(at: path).first)
    let start = try bundle.version(named: pair.version).name
    let end = try bundle.requireCurrentVersion().name
    let names = bundle.versions.map(\.name)
    let (first, last) = (
      try #require(names.firstIndex(of: start)), try #require(names.firstIndex(of: end))
    )
    guard first < last else { return }
    let models = try bundle.versions[first...last].map { try $0.read().model }
    let trial = try PlanTrial(
      copying: Corpus.stores.appendingPathComponent(pair.store).path, of: models[0])
    let outcome = try trial.migrate(
      to: models[models.count - 1], by: Self.mapping(through: models))
    let exception = Self.exceptions[pair.store]
    #expect(outcome.problems.isEmpty == (exception != .duplicates))
    #expect(outcome.failures.isEmpty == (exception != .wrongNumbers))
  }

  /// Why a store does not arrive without a complaint.
  enum Exception {
    /// A constraint is new, and rows break it.
    case duplicates
    /// Edited by hand: a row whose `Z_ENT` names an entity of another table. It gets a right one, and
    /// is then seen to lead nowhere.
    case wrongNumbers
  }

  static let exceptions: [String: Exception] = [
    "alemar11__CoreDataPlus/CoreDataMigration_Example_3.sqlite": .duplicates,
    "artsy__energy/ArtsyPartner_2.0.sqlite": .wrongNumbers,
  ]
}
