import Foundation
import StoreDiagnostics
import StoreModel
import StoreModelReader
import Testing

/// The models of the project in `Models/`.
struct SampleModelTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Models")

  @Test func sampleModelsHaveNothingToComplainAbout() throws {
    let bundles = try ModelBundle.find(at: Self.folder.path)
    #expect(bundles.map(\.name).contains("People"))
    for bundle in bundles {
      #expect(bundle.currentVersion != nil)
      for version in bundle.versions {
        let reading = try version.read()
        let findings = reading.diagnostics + reading.model.templates.flatMap(\.faults)
        #expect(findings.isEmpty, "\(findings.map(DiagnosticRenderer().render).joined())")
      }
    }
  }
}
