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
    let outcome = try PlanTrial(source).migrate(to: target)
    if !outcome.problems.isEmpty, transition.kind == "G" || transition.kind == "D" { return }
    #expect(outcome.problems.isEmpty)
    #expect(outcome.failures.isEmpty)
  }
}
