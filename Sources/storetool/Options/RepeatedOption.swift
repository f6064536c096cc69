import ArgumentParser
import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An option that stands among a command's words more than once, though it takes one value. The parser would
/// take the last one without a word.
struct RepeatedOption: Error, Hashable {
  /// As it was written first: `--limit`.
  var name: String
  /// What it was given, in order.
  var values: [String]

  /// Those that may be repeated; every command that takes one gives it the same meaning.
  static let joined = ["--where", "--sort", "--select", "--group-by", "--map", "--via"]

  /// - Throws: `RepeatedOption` for the first one among the words of a command line; what the parser throws
  ///   where it can't describe a command.
  static func check(_ words: ArraySlice<String>) throws {
    guard mayRepeat(words) else { return }
    let options = try CommandOptions(of: Storetool.named(by: words).command)
    for (option, values) in options.values(in: words)
    where values.count > 1 && !joined.contains(option) && !options.takesSeveral(option) {
      throw RepeatedOption(name: option, values: values)
    }
  }

  /// Whether it is worth to ask the parser what the options are, which takes longer than a short command.
  private static func mayRepeat(_ words: ArraySlice<String>) -> Bool {
    var names: Set<Substring> = []
    for word in words where word.hasPrefix("-") {
      let name = word.prefix { $0 != "=" }
      // A short name may be another one of a long name that is there.
      if name.count == 2 && name != "--" || !names.insert(name).inserted { return true }
    }
    return false
  }
}

extension RepeatedOption: DiagnosableError {
  var diagnostics: [Diagnostic] {
    let times = values.count == 2 ? "twice" : "\(values.count) times"
    let given = values.map { "'\($0)'" }.joined(separator: ", then ")
    return [
      Diagnostic(
        .error, "usage", "\(name) is given \(times): \(given)", cause: .usage,
        help: [
          "it takes one value; leave out what is not meant",
          "only \(Self.joined.joined(separator: ", ")) may be repeated",
        ])
    ]
  }
}

/// The options of a command that take a value, as the parser describes them.
private struct CommandOptions {
  /// By each of their names, `-o` and `--output`, the name that help shows.
  private var names: [String: Option] = [:]

  private struct Option {
    var name: String
    /// Whether the next word is its value whatever it looks like.
    var takesAnyWord: Bool
    /// Whether the command keeps all that it is given.
    var takesSeveral: Bool
  }

  init(of command: any ParsableCommand.Type) throws {
    let description = Data(command._dumpHelp().utf8)
    let tool = try JSONDecoder().decode(ToolDescription.self, from: description)
    for argument in tool.command.arguments ?? [] where argument.kind == "option" {
      guard let name = argument.preferredName else { continue }
      let option = Option(
        name: name.word, takesAnyWord: argument.parsingStrategy == "unconditional",
        takesSeveral: argument.isRepeating)
      for name in argument.names ?? [] { names[name.word] = option }
    }
  }

  func takesSeveral(_ option: String) -> Bool { names[option]?.takesSeveral ?? false }

  /// The options among the words, in the order in which they begin, with what each was given.
  func values(in words: ArraySlice<String>) -> [(option: String, values: [String])] {
    var found: [(option: String, values: [String])] = []
    var rest = words
    while let word = rest.popFirst(), word != "--" {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let option = names[String(parts[0])] else { continue }
      var values = parts.dropFirst().map(String.init)
      if values.isEmpty, let next = rest.first,
        option.takesAnyWord || next == "-" || !next.hasPrefix("-")
      {
        values.append(next)
        rest = rest.dropFirst()
      }
      // One whose value is missing is there, too.
      if values.isEmpty { values.append("") }
      if let index = found.firstIndex(where: { $0.option == option.name }) {
        found[index].values += values
      } else {
        found.append((option.name, values))
      }
    }
    return found
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
  }

  struct Name: Decodable {
    var kind: String
    var name: String

    var word: String { (kind == "long" ? "--" : "-") + name }
  }

  var command: Command
}
