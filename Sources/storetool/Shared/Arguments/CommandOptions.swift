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
  private var positionals: [Positional] = []

  private struct Option {
    /// The name in the help.
    var name: String
    /// Whether the next argument is always the value, even if it begins with a minus.
    var takesAnyWord: Bool
    /// Whether the command uses all values if the option is repeated.
    var takesSeveral: Bool
  }

  private struct Positional {
    var name: String
    var takesSeveral: Bool
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
      words += (argument.names ?? []).map(\.word)
      switch argument.kind {
      case "option": add(option: argument)
      case "positional":
        positionals.append(
          Positional(name: argument.valueName ?? "", takesSeveral: argument.isRepeating))
      default: break
      }
    }
  }

  private mutating func add(option argument: ToolDescription.Argument) {
    guard let name = argument.preferredName else { return }
    let option = Option(
      name: name.word, takesAnyWord: argument.parsingStrategy == "unconditional",
      takesSeveral: argument.isRepeating)
    for name in argument.names ?? [] { names[name.word] = option }
  }

  /// Returns whether the command uses all values if the option is repeated.
  func takesSeveral(_ option: String) -> Bool { names[option]?.takesSeveral ?? false }

  /// Returns whether the command has an option with this name that requires a value.
  func takes(_ option: String) -> Bool { names[option] != nil }

  /// Returns the options in `words` that require a value, with their values, in the order of their first use.
  func values(in words: ArraySlice<String>) -> [(option: String, values: [String])] {
    var found: [(option: String, values: [String])] = []
    for given in given(in: words) where takes(given.name) {
      if let index = found.firstIndex(where: { $0.option == given.name }) {
        found[index].values.append(given.value)
      } else {
        found.append((given.name, [given.value]))
      }
    }
    return found
  }

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
    _ word: String, at index: Int, of free: inout ArraySlice<Positional>
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
