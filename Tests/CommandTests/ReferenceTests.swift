import Foundation
import TestSupport
import Testing

/// `docs/cli.md` holds every command's help as the binary prints it; `Scripts/record-help` writes it.
struct ReferenceTests {
  static let page = BuiltCommand.repository.appendingPathComponent("docs/cli.md")

  /// The blocks that begin with "```text storetool fetch --help", by their command.
  static func recordedHelp() throws -> [String: String] {
    var help: [String: String] = [:]
    var command: String?
    for line in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n") {
      if line.hasPrefix("```text storetool ") {
        command = String(line.dropFirst("```text ".count))
        help[command ?? ""] = ""
      } else if line == "```" {
        command = nil
      } else if let command {
        help[command]? += line + "\n"
      }
    }
    return help
  }

  /// A command as `--experimental-dump-help` describes it.
  private struct Command: Decodable {
    var commandName: String
    var shouldDisplay: Bool
    var subcommands: [Command]?

    /// The command lines of the leaves. What `explain` takes are commands that stand there already.
    func lines(below parent: String = "") -> [String] {
      guard shouldDisplay, commandName != "help" else { return [] }
      let line = parent + commandName
      guard let subcommands, commandName != "explain" else { return [line + " --help"] }
      return subcommands.flatMap { $0.lines(below: line + " ") }
    }
  }

  private struct Tool: Decodable {
    var command: Command
  }

  @Test func holdsEveryCommand() throws {
    let folder = try TemporaryFolder()
    let dump = try BuiltCommand(in: folder.url).run("storetool --experimental-dump-help")
    let tool = try JSONDecoder().decode(Tool.self, from: Data(dump.output.utf8))
    #expect(try Self.recordedHelp().keys.sorted() == tool.command.lines().sorted())
  }

  @Test(arguments: try recordedHelp().keys.sorted())
  func holdsTheHelpAsPrinted(_ command: String) throws {
    let folder = try TemporaryFolder()
    let printed = try BuiltCommand(in: folder.url, environment: ["COLUMNS": "80"]).run(command)
    let recorded = try Self.recordedHelp()[command] ?? ""
    guard printed.output != recorded else { return }
    Issue.record("\(command):\n\(Golden.lineDifference(from: recorded, to: printed.output))")
  }
}
