import ArgumentParser

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The options of a command, and its other arguments, as the parser describes them. To ask takes longer than a short
/// command.
struct CommandOptions {
  /// Those that take a value, by each of their names, `-o` and `--output`.
  private var names: [String: Option] = [:]
  /// All names, flags' too.
  private(set) var words: [String] = []
  private var positionals: [Positional] = []

  private struct Option {
    /// The name that help shows.
    var name: String
    /// Whether the next word is its value whatever it looks like.
    var takesAnyWord: Bool
    /// Whether the command keeps all that it is given.
    var takesSeveral: Bool
  }

  private struct Positional {
    var name: String
    var takesSeveral: Bool
  }

  /// A value among the words of a command line.
  struct Given {
    /// The option's name that help shows, or that of the argument without its brackets.
    var name: String
    var value: String
    /// The word that it stands in; nil for an option whose value is missing.
    var word: Int?
  }

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

  func takesSeveral(_ option: String) -> Bool { names[option]?.takesSeveral ?? false }

  func takes(_ option: String) -> Bool { names[option] != nil }

  /// The options among the words, in the order in which they begin, with what each was given.
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

  /// What the words give to options and arguments, in order.
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
        // One whose value is missing is there, too.
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

/// What is needed of the parser's own description of a command.
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
