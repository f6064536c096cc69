import Foundation
import StoreDiagnostics
import StoreModelReader
import TestSupport
import Testing

/// `Fixtures/invalid/NAME.xml` gives the diagnostics in `Fixtures/invalid/NAME.txt`.
struct InvalidModelTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/invalid")
  static let names = Corpus.files(below: folder) { $0.pathExtension == "xml" }
    .map { $0.deletingPathExtension().lastPathComponent }

  @Test(arguments: names) func explainsEveryMistake(name: String) throws {
    let url = Self.folder.appendingPathComponent("\(name).xml")
    let source = XMLSource(file: "\(name).xml", bytes: try Array(Data(contentsOf: url)))
    do {
      let reading = try ModelReading.read(source, name: name)
      Issue.record("read without an error: \(reading.model)")
    } catch let error as any DiagnosableError {
      let renderer = DiagnosticRenderer()
      let text = error.diagnostics.map(renderer.render).joined()
      Golden.expect(text, matches: "invalid/\(name).txt")
    }
  }
}
