import RecordFormats
import ArgumentParser
import StorePredicate

/// `storetool predicate …`: looks at predicates, without a store.
struct PredicateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "predicate", _superCommandName: Storetool.name,
    abstract: "Parses, formats and checks predicates.",
    discussion: """
      The predicate is an argument or comes from standard input; behind -- it may begin with a minus.

        storetool predicate format 'name="Ray" and not(age<18)'
        storetool predicate check 'city.name ==[cd] $CITY' --entity Person
      """,
    subcommands: [
      PredicateParseCommand.self, PredicateFormatCommand.self, PredicateCheckCommand.self,
    ])
}

/// `storetool predicate parse`
struct PredicateParseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parse",
    abstract: "Prints a predicate's tree and its variables.",
    discussion: """
      Each node with its kind, what tells it from others of its kind, and its text. JSON nests the \
      nodes.

        storetool predicate parse 'ANY groups.name ==[c] $NAME OR city == nil' --format table
      """)

  @OptionGroup var predicate: PredicateArgument
  @OptionGroup var format: FormatOptions

  func run() throws {
    let parsed = try predicate.read().predicate()
    let isNested = [.json, .ndjson].contains(format.resolved)
    try FactWriter(format).print(PredicateFacts.page(of: parsed, isNested: isNested))
  }
}

/// `storetool predicate format`
struct PredicateFormatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "format",
    abstract: "Prints a predicate's canonical text.",
    discussion: """
      On one line: == for =, keywords in capitals, strings in double quotes, and parentheses only \
      where they are needed or where AND and OR meet.

        storetool predicate format 'name="Ray" and not(age<18)'
        echo 'a=1||b<>2' | storetool predicate format
      """)

  @OptionGroup var predicate: PredicateArgument

  func run() throws {
    try OutputFile.standard.write("\(predicate.read().predicate().format)\n")
  }
}
