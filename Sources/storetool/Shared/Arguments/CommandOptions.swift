import ArgumentParser

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The options and positional arguments of a command, as the parser describes them. Creating this value takes longer
/// than running a short command.
struct CommandOptions {
  /// The options that have a value, by each of their names, such as `-o` and `--output`.
  private var names: [String: Option] = [:]
  /// The names of all options and flags, with their dashes.
  private(set) var words: [String] = []
  private var positionals: [Option] = []

  /// An option that has a value, or a positional argument.
  private struct Option {
    /// The name in the help.
    var name: String
    /// Whether the next argument is always the value, even if it begins with a minus.
    var takesAnyWord: Bool
    /// Whether the command uses all values if the option is repeated.
    var takesSeveral: Bool

    init(_ name: String, _ argument: ToolDescription.Argument) {
      self.name = name
      takesAnyWord = argument.parsingStrategy == "unconditional"
      takesSeveral = argument.isRepeating
    }
  }

  /// A value in a command line.
  struct Given {
    /// The option's name in the help, or the argument's name without brackets.
    var name: String
    var value: String
    /// The index of the argument that contains the value; nil if the value of the option is missing.
    var word: Int?
  }

  /// - Throws: A `DecodingError` if the parser's description can't be read.
  init(of command: any ParsableCommand.Type) throws {
    let description = Data(command._dumpHelp().utf8)
    let tool = try JSONDecoder().decode(ToolDescription.self, from: description)
    for argument in tool.command.arguments ?? [] {
      let names = (argument.names ?? []).map(\.word)
      words += names
      switch argument.kind {
      case "option":
        guard let name = argument.preferredName?.word else { continue }
        for other in names { self.names[other] = Option(name, argument) }
      case "positional": positionals.append(Option(argument.valueName ?? "", argument))
      default: break
      }
    }
  }

  /// Returns whether the command uses all values if the option is repeated.
  func takesSeveral(_ option: String) -> Bool { names[option]?.takesSeveral ?? false }

  /// Returns whether the command has an option with this name that requires a value.
  func takes(_ option: String) -> Bool { names[option] != nil }

  /// Returns the values of options and positional arguments in the order of `words`. A missing value of an option is an
  /// empty text.
  func given(in words: ArraySlice<String>) -> [Given] {
    var found: [Given] = []
    var free = positionals[...]
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" {
        for index in rest.indices { found += positional(rest[index], at: index, of: &free) }
        break
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let option = names[String(parts[0])] else {
        if !word.hasPrefix("-") || word == "-" {
          found += positional(word, at: rest.startIndex - 1, of: &free)
        }
        continue
      }
      if parts.count == 2 {
        found.append(Given(name: option.name, value: String(parts[1]), word: rest.startIndex - 1))
      } else if let next = rest.first,
        option.takesAnyWord || next == "-" || !next.hasPrefix("-")
      {
        found.append(Given(name: option.name, value: next, word: rest.startIndex))
        rest = rest.dropFirst()
      } else {
        found.append(Given(name: option.name, value: "", word: nil))
      }
    }
    return found
  }

  private func positional(
    _ word: String, at index: Int, of free: inout ArraySlice<Option>
  ) -> [Given] {
    guard let next = free.first else { return [] }
    if !next.takesSeveral { free = free.dropFirst() }
    return [Given(name: next.name, value: word, word: index)]
  }
}

/// The parts of the parser's description of a command that this program uses.
private struct ToolDescription: Decodable {
  struct Command: Decodable {
    var arguments: [Argument]?
  }

  struct Argument: Decodable {
    var kind: String
    var parsingStrategy: String
    var isRepeating: Bool
    var names: [Name]?
    var preferredName: Name?
    var valueName: String?
  }

  struct Name: Decodable {
    var kind: String
    var name: String

    var word: String { (kind == "long" ? "--" : "-") + name }
  }

  var command: Command
}
