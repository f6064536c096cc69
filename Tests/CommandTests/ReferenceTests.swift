import Foundation
import TestSupport
import Testing

/// `docs/cli.md` contains the help of each command, which `Scripts/record-help` writes.
struct ReferenceTests {
  static let page = BuiltCommand.repository.appendingPathComponent("docs/cli.md")
  private static let hasPython = SampleFolder.canRun("command -v python3")

  @Test(.enabled(if: hasPython, "requires python3"))
  func containsTheCurrentHelp() throws {
    let script = BuiltCommand.repository.appending(path: "Scripts/record-help").path
    let program = BuiltCommand.folder.appending(path: "storetool").path
    let folder = try TemporaryFolder()
    let check = try BuiltCommand(in: folder.url)
      .run("'\(script)' --binary '\(program)' --check")
    #expect(check.status == 0, "\(check.errors)")
  }
}
