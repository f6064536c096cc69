import ArgumentParser

/// The parser's message about a call that it refuses. The parser describes the call only in text, which no other type reads.
struct ParserMessage {
  enum Meaning: Hashable {
    case unknownOption(String)
    case unexpectedArgument(String)
    case other
  }

  /// The sentence, on one line.
  let text: String
  /// The lines from `Usage: …` on.
  let usage: [String]

  init(_ error: any Error) {
    text = Self.oneLine(Storetool.message(for: error))
    usage = Storetool.fullMessage(for: error).split(separator: "\n")
      .drop { !$0.hasPrefix("Usage:") }.map(String.init)
  }

  var meaning: Meaning {
    quoted(after: "Unknown option ").map(Meaning.unknownOption)
      ?? quoted(after: "Unexpected argument ").map(Meaning.unexpectedArgument) ?? .other
  }

  /// The text in quotes after the beginning of the sentence.
  private func quoted(after beginning: String) -> String? {
    guard text.hasPrefix(beginning + "'") else { return nil }
    let name = text.dropFirst(beginning.count + 1).prefix { $0 != "'" }
    return name.isEmpty ? nil : String(name)
  }

  /// The parser lists the values that an option takes line by line.
  private static func oneLine(_ message: String) -> String {
    var lines = message.split(separator: "\n")[...]
    guard let first = lines.popFirst() else { return message }
    let values = lines.map { $0.drop { $0 == " " || $0 == "-" } }
    return ([String(first)] + [values.joined(separator: ", ")]).filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}
