import Foundation
import TestSupport
import Testing

@testable import storetool

extension CommandRow {
  /// The names of the commands that the help lists.
  static var shownNames: [String] {
    all.filter(\.row.isShown).map { $0.words.joined(separator: " ") }
  }
}

/// The table of commands agrees with the options that the commands declare, and with the pages about them.
struct CommandTableTests {
  @Test("Each option in the table is one of the command")
  func options() throws {
    for (words, row) in CommandRow.all {
      let options = try CommandOptions(of: row.type)
      for use in row.page {
        let named = use.options + use.flags + [use.with].compactMap(\.self)
        for option in named + (use.readsClosest ? ["--closest"] : []) {
          #expect(options.words.contains(option), "'\(words)' has no \(option)")
        }
        for option in use.options { #expect(options.takes(option), "\(option) of '\(words)'") }
        for flag in use.flags { #expect(!options.takes(flag), "\(flag) of '\(words)'") }
      }
      if let option = row.each?.repeatableOption { #expect(options.words.contains(option)) }
    }
  }

  @Test("A command of another tool is unknown, and the help names the command of storetool")
  func aliases() {
    let names = Set(CommandRow.root.subcommands.map(\.name))
    #expect(names.isDisjoint(with: CommonAliases.commands.keys))
    for advice in CommonAliases.commands.values {
      for match in advice.matches(of: #/storetool ([a-z][\w-]*)/#) {
        #expect(names.contains(String(match.output.1)), "\(advice)")
      }
    }
  }

  @Test("The reference lists the commands that 'each' runs")
  func commandsOfEach() throws {
    let line = try line(of: "docs/cli.md", beginning: "| command after `--` |")
    let names = CommandRow.all.filter { $0.row.each != nil }.compactMap(\.words.last)
    #expect(Set(code(in: line)).subtracting(["--"]) == Set(names))
  }

  @Test("The reference lists the requests that write")
  func writingRequests() throws {
    let sentence = #/With `--write`, (`insert`[^.]*)\srun after a dry run/#
    let match = try #require(text(of: "docs/cli.md").firstMatch(of: sentence))
    let names = AllowedCommand.all.filter(\.use.writes).map { $0.words.joined(separator: " ") }
    #expect(Set(code(in: match.output.1)) == Set(names))
  }

  @Test("The page of the target lists the commands of each folder")
  func commandsOfFolders() throws {
    let page = try text(of: "docs/targets/storetool.md")
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let listed = rows.flatMap { code(in: $0.split(separator: "|")[1]) }
    let commands = CommandRow.root.subcommands.filter(\.isShown).map(\.name)
    #expect(Set(commands).subtracting(listed) == [])
  }

  private func text(of path: String) throws -> String {
    try String(
      contentsOf: BuiltCommand.repository.appendingPathComponent(path), encoding: .utf8)
  }

  private func line(of path: String, beginning: String) throws -> Substring {
    try #require(text(of: path).split(separator: "\n").first { $0.hasPrefix(beginning) })
  }

  private func code(in text: some StringProtocol) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
