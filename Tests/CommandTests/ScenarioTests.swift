import Foundation
import TestSupport
import Testing

/// Every file in `Scenarios/` is a test.
struct ScenarioTests {
  static let files = Corpus.files(
    below: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Scenarios")
  ) { $0.pathExtension == "txt" }

  @Test(arguments: files)
  func playsAsWritten(_ file: URL) throws {
    try Scenario(file).check()
  }
}
