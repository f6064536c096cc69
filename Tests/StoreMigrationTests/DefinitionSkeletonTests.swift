import Foundation
import StoreDiagnostics
import StoreModel
import StoreModelReader
import TestSupport
import Testing

@testable import StoreMigration

@Suite struct DefinitionSkeletonTests {
  @Test func holdsWhatIsNeededAndTheChoices() throws {
    let pairing = try Shop.pairing()
    let text = DefinitionSkeleton(pairing).text
    Golden.expect(text, matches: "skeleton.xml")
    let definition = try Shop.definition(text)
    #expect(try MappingInference.infer(pairing, with: definition).entities.count > 0)
  }

  /// Every commented line is valid without its comment marks.
  @Test func choicesCanBeTaken() throws {
    let pairing = try Shop.pairing()
    let text = DefinitionSkeleton(pairing).text
    let taken = text.split(separator: "\n").map { line in
      guard line.contains("<!-- <") else { return String(line) }
      return line.replacingOccurrences(of: "<!-- <", with: "<")
        .replacingOccurrences(of: "> -->", with: ">")
    }.joined(separator: "\n")
    #expect(taken != text)
    _ = try MappingInference.infer(pairing, with: Shop.definition(taken))
  }

  @Test func keepsNamesOutOfTheWayOfXML() throws {
    let model = DataModel(name: "A--B <\"1\">", entities: [EntityDescription(name: "A")])
    let text = DefinitionSkeleton(ModelPairing(from: model, to: model)).text
    let definition = try Shop.definition(text)
    #expect(definition.from.meaning == "A--B <\"1\">")
    #expect(definition.entities.isEmpty)
  }

  /// For all consecutive versions of the collection, the skeleton can be parsed and fits the models.
  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func fitsTheCollection() throws {
    var count = 0
    for bundle in try ModelBundle.find(at: Corpus.models.path) where bundle.versions.count > 1 {
      let models = bundle.versions.compactMap { version in
        // Another test covers the old formats.
        try? version.read().model
      }
      for (old, new) in zip(models, models.dropFirst()) {
        let pairing = ModelPairing(from: old, to: new)
        let definition = try Shop.definition(DefinitionSkeleton(pairing).text)
        do {
          _ = try MappingInference.infer(pairing, with: definition)
        } catch {
          let text = error.diagnostics.map(DiagnosticRenderer().render).joined()
          Issue.record("\(bundle.name) \(old.name) → \(new.name):\n\(text)")
        }
        count += 1
      }
    }
    #expect(count > 200)
  }
}
