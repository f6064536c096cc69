import Testing

@testable import storetool

/// The wording of ArgumentParser that `ParserMessage` parses. The tests fail if a new release changes the wording.
struct ParserMessageTests {
  private func message(_ words: [String]) throws -> ParserMessage {
    try ParserMessage(#require(throws: (any Error).self) { try Storetool.command(of: words[...]) })
  }

  @Test(
    "Options and arguments that a command doesn't have",
    arguments: [
      (["fetch", "Item", "--colour", "x"], .unknownOption("--colour")),
      // The parser suggests `--where`.
      (["fetch", "Item", "--wher", "x"], .unknownOption("--wher")),
      (["fetch", "Item", "-x"], .unknownOption("-x")),
      (["fetch", "Item", "Todo.sqlite"], .unexpectedArgument("Todo.sqlite")),
      (["fetch", "Item", "--limit", "x"], .invalidValue(placeholder: "n")),
      (["seed", "Item"], .invalidValue(placeholder: "entity=count")),
      (["fetch", "Item", "--limit"], .invalidValue(placeholder: "n")),
      (["fetch", "Item", "a", "b"], .other), (["fetch"], .other),
    ] as [([String], ParserMessage.Meaning)])
  func meaning(_ words: [String], _ meaning: ParserMessage.Meaning) throws {
    #expect(try message(words).meaning == meaning)
  }

  @Test("A list of values becomes one line")
  func oneLine() throws {
    let message = try message(["fetch", "Item", "--format", "x"])
    #expect(
      message.text
        == """
        The value 'x' is invalid for '--format <format>'. Please provide one of the following: \
        table, vertical, json, ndjson, csv, tsv, markdown
        """)
  }

  @Test("How the command is called")
  func usage() throws {
    let message = try message(["fetch", "Item", "--colour"])
    #expect(
      message.usage == [
        "Usage: storetool fetch [<options>] <entity>",
        "  See 'storetool fetch --help' for more information.",
      ])
  }
}
