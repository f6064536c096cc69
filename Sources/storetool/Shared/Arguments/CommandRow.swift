import ArgumentParser

/// A command, and how other commands can run it. The table of all commands is in `Commands.swift`.
struct CommandRow {
  let type: any ParsableCommand.Type
  /// How `each` runs the command on a store; nil if it can't.
  let each: StoreUse?
  /// The requests of the page that run the command.
  let page: [PageUse]
  let subcommands: [CommandRow]

  init(
    _ type: any ParsableCommand.Type, each: StoreUse? = nil, page: PageUse...,
    subcommands: [CommandRow] = []
  ) {
    (self.type, self.each, self.page, self.subcommands) = (type, each, page, subcommands)
  }

  var name: String { type.configuration.commandName ?? "" }

  /// Whether the help lists the command.
  var isShown: Bool { type.configuration.shouldDisplay }
}

/// How `each` runs a command on a store.
struct StoreUse {
  /// The effect of a second run on the same store.
  enum Repetition {
    /// Neither run changes the store.
    case reads
    /// The store is the same as after the first run.
    case repeatable
    /// The second run changes the store again: it inserts the same rows, for example.
    case once
  }

  enum Output {
    /// Rows, in the format that the user requests.
    case rows
    /// Text, unless the user requests a format.
    case text
    /// Facts that `each` adds up by version.
    case census
  }

  static let reads = StoreUse(.reads)
  static let repeatable = StoreUse(.repeatable)
  static let once = StoreUse(.once)

  let output: Output
  private let repetition: Repetition
  /// The option with which a command that reads changes the store.
  let repeatableOption: String?

  init(_ repetition: Repetition, _ output: Output = .rows, repeatableWith option: String? = nil) {
    (self.repetition, self.output, repeatableOption) = (repetition, output, option)
  }

  /// - Parameter words: the arguments of the command.
  func repetition(with words: [String]) -> Repetition {
    if words.contains(PageUse.dryRun) { return .reads }
    return repeatableOption.map(words.contains) == true ? .repeatable : repetition
  }
}

/// A request of the page of `browse`: a command with options that name no file and change only the result.
///
/// The server adds the store, the model and the format.
struct PageUse {
  enum Output {
    /// JSON, one value per line.
    case lines
    /// The bytes of a stored value.
    case bytes
  }

  static let dryRun = "--dry-run"
  /// The option with the number of rows of the dry run. Without it, the command could change more rows than the dry run
  /// has shown.
  static let expect = "--expect"

  /// An option that is a part of the request: `--repair`.
  var with: String?
  /// Options with a value, in one word: `--where=…`.
  var options: [String] = []
  var flags: [String] = []
  /// Whether the request may have other arguments. In a command that doesn't need any they could only name a store.
  var takesValues = true
  var output = Output.lines
  /// Whether the request requires `--write`, and a dry run with the same words.
  var writes = false
  /// Whether the dry run only checks. It requires no `--write`, and status 1 means that it has found something.
  var triesByChecking = false
  /// Whether the command accepts `--closest`.
  var readsClosest = false

  var takesExpectation: Bool { options.contains(Self.expect) }

  /// Whether a dry run with this status has shown the changes.
  func hasShown(_ status: Int) -> Bool { status == 0 || triesByChecking && status == 1 }
}

// MARK: Finding commands

extension CommandRow {
  /// All commands with their words: `["migrate", "plan"]`. A command precedes its subcommands.
  static let all = root.below([])

  private func below(_ parents: [String]) -> [(words: [String], row: CommandRow)] {
    subcommands.flatMap { row in
      let words = parents + [row.name]
      return [(words, row)] + row.below(words)
    }
  }

  /// The types of the subcommands, for the configuration of a command.
  static func subcommands(of parent: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    root.subcommands.first { $0.type == parent }?.subcommands.map { $0.type } ?? []
  }

  /// The command that the first words name, and the other words.
  static func spelled(
    by words: ArraySlice<String>
  ) -> (row: CommandRow, rest: ArraySlice<String>) {
    var (row, rest) = (root, words)
    while let word = rest.first, let next = row.subcommands.first(where: { $0.name == word }) {
      (row, rest) = (next, rest.dropFirst())
    }
    return (row, rest)
  }

  /// The command that the first words name, or its default subcommand, and the other words.
  static func named(
    by words: ArraySlice<String>
  ) -> (command: any ParsableCommand.Type, rest: ArraySlice<String>) {
    let (row, rest) = spelled(by: words)
    return (row.type.configuration.defaultSubcommand ?? row.type, rest)
  }
}
