import Foundation
import TestSupport
import Testing

/// A folder with the project's sample models, in which commands run.
struct SampleFolder {
  let folder: TemporaryFolder
  let shell: BuiltCommand

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: BuiltCommand.repository.appendingPathComponent("Models"),
      to: folder.url.appendingPathComponent("Models"))
    shell = BuiltCommand(in: folder.url)
  }

  /// Returns whether a line succeeds in a new folder. Used for features that some machines don't have.
  static func canRun(_ line: String) -> Bool {
    guard let samples = try? SampleFolder() else { return false }
    // The folder is removed after its last use.
    return withExtendedLifetime(samples.folder) {
      (try? samples.shell.run(line))?.status == 0
    }
  }

  /// Runs a line that must succeed, and returns its output.
  @discardableResult
  func expect(
    _ line: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let outcome = try shell.run(line)
    #expect(
      outcome.status == 0, "\(line)\n\(outcome.errors)", sourceLocation: sourceLocation)
    return outcome.output
  }
}
