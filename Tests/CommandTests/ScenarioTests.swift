import Foundation
import TestSupport
import Testing

/// Every file in `Scenarios/` is a test.
struct ScenarioTests {
  static let files = Corpus.files(
    below: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Scenarios")
  ) { $0.pathExtension == "txt" }

  @Test(arguments: files.filter { !$0.needsSQLite })
  func playsAsWritten(_ file: URL) throws {
    try Scenario(file).check()
  }

  /// Programs that a scenario uses to inspect or damage a store.
  @Test(
    .enabled(if: SQLiteShell.executable != nil, "the sqlite3 shell isn't installed"),
    arguments: files.filter(\.needsSQLite))
  func playsBesideSQLite(_ file: URL) throws {
    try Scenario(file).check()
  }
}

extension URL {
  /// Whether a scenario calls the sqlite3 shell, which its first line must declare.
  fileprivate var needsSQLite: Bool {
    (try? String(contentsOf: self, encoding: .utf8))?.hasPrefix("# needs sqlite3\n") ?? false
  }
}
