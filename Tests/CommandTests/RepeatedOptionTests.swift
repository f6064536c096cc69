import Foundation
import TestSupport
import Testing

/// In all commands, a repeated option never silently replaces its earlier value.
struct RepeatedOptionTests {
  /// The commands as the parser describes them, which includes new options.
  private struct Tool: Decodable {
    var command: Command
  }

  private struct Command: Decodable {
    var commandName: String
    var subcommands: [Command]?
    var arguments: [Argument]?

    /// Returns the command lines of commands without subcommands, with their options.
    func options(below parent: String = "") -> [(line: String, option: Argument)] {
      let line = parent + commandName
      guard let subcommands else {
        return (arguments ?? []).filter { $0.kind == "option" }.map { (line, $0) }
      }
      return subcommands.flatMap { $0.options(below: line + " ") }
    }
  }

  private struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String

      var word: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: String
    var isRepeating: Bool
    var names: [Name]?
    var preferredName: Name?
  }

  /// Options that combine their values.
  private static let joined: Set = [
    "--where", "--sort", "--select", "--group-by", "--map", "--via",
  ]

  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
  }

  private func options() throws -> [(line: String, option: Argument)] {
    let dump = try samples.expect("storetool --experimental-dump-help")
    return try JSONDecoder().decode(Tool.self, from: Data(dump.utf8)).command.options()
  }

  @Test func everyOptionOfEveryCommandIsRefusedTwice() throws {
    let options = try options()
    #expect(options.count > 80)
    #expect(Set(options.map(\.line)).count > 20)
    for (line, option) in options {
      let name = try #require(option.preferredName).word
      guard !Self.joined.contains(name) && !option.isRepeating else {
        #expect(option.isRepeating, "\(line) \(name) keeps its last value only")
        continue
      }
      for words in ["\(name) 1 \(name) 2", "\(name)=1 \(name)=2"] {
        let outcome = try samples.shell.run("\(line) \(words)")
        #expect(outcome.status == 64, "\(line) \(words)")
        #expect(
          outcome.errors.hasPrefix("error: \(name) is specified twice: '1', then '2' [usage]\n"),
          "\(line) \(words)\n\(outcome.errors)")
      }
    }
  }

  @Test func bothNamesOfAnOptionCount() throws {
    for (line, option) in try options() {
      for other in option.names ?? [] where other.word != option.preferredName?.word {
        let name = try #require(option.preferredName).word
        let outcome = try samples.shell.run("\(line) \(name) 1 \(other.word) 2")
        #expect(
          outcome.errors.hasPrefix("error: \(name) is specified twice"), "\(line) \(other.word)")
        #expect(outcome.status == 64)
      }
    }
  }

  /// A word that looks like an option isn't one if it is the value of an option, or after `--`.
  @Test(arguments: [
    "fetch Item --sort --limit --limit 1", "fetch --limit 1 --format ndjson -- Item --limit",
    "fetch Item --where 'name == \"--limit\"' --limit 1 --ids --ids",
  ])
  func valuesAreNoOptions(_ line: String) throws {
    let outcome = try samples.shell.run("storetool \(line)")
    #expect(!outcome.errors.contains("is specified twice"), "\(outcome.errors)")
  }
}
