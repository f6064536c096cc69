import Foundation
import StoreDiagnostics
import StoreModel
import StoreModelReader
import TestSupport
import Testing

/// Every model of the corpus can be read, and all of its elements and attributes are known.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusTests {
  @Test func readsEveryModel() throws {
    let files = Corpus.files(below: Corpus.models) { $0.lastPathComponent == "contents" }
    #expect(files.count > 500)
    var predicates = 0
    for file in files {
      let bytes = try Array(Data(contentsOf: file))
      do {
        let reading = try ModelReading.read(XMLSource(file: file.path, bytes: bytes), name: "M")
        let unknown = reading.diagnostics.filter { $0.code.hasPrefix("model.unknown") }
        #expect(unknown.isEmpty)
        let fetched = reading.model.entities.flatMap(\.fetchedProperties).map(\.request)
        for template in reading.model.templates + fetched {
          #expect(template.faults.isEmpty, "\(template.name) of \(file.path)")
          #expect((template.predicate == nil) == (template.predicateText == nil))
          predicates += template.predicate == nil ? 0 : 1
        }
      } catch let error as any DiagnosableError {
        let renderer = DiagnosticRenderer()
        Issue.record("\(error.diagnostics.map(renderer.render).joined())")
      }
    }
    #expect(predicates > 100)
  }

  @Test func findsEveryBundle() throws {
    for bundle in try ModelBundle.find(at: Corpus.models.path) {
      #expect(!bundle.versions.isEmpty)
      for version in bundle.versions where version.form == .xcode3 {
        #expect(throws: ModelBundleError.xcode3(version: version.name, path: version.path)) {
          try version.read()
        }
      }
    }
  }
}
