import ArgumentParser

/// A command, and how `each` and `browse` can run it. The table of all commands is in `Commands.swift`.
struct CommandRow {
  let type: any ParsableCommand.Type
  /// How `each` runs the command on a store; nil if it can't.
  let each: StoreUse?
  /// The requests by which the page of `browse` can run the command; empty if it can't.
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
  /// The effect of running the command twice on the same store.
  enum Repetition {
    /// The command doesn't change the store.
    case reads
    /// After the second run, the store is the same as after the first.
    case repeatable
    /// The second run changes the store again. For example, it inserts the same rows.
    case once
  }

  /// The output of the command.
  enum Output {
    /// Rows, in the requested format or the default one.
    case rows
    /// Text. If the user requests a format, rows in this format.
    case text
    /// A record about the store. `each` summarizes these records by model version.
    case census
  }

  static let reads = StoreUse(.reads)
  static let repeatable = StoreUse(.repeatable)
  static let once = StoreUse(.once)

  let output: Output
  private let repetition: Repetition
  /// An option, such as `--repair`, with which a command that otherwise only reads changes the store. With this option,
  /// the repetition is `repeatable`.
  let repeatableOption: String?

  init(_ repetition: Repetition, _ output: Output = .rows, repeatableWith option: String? = nil) {
    (self.repetition, self.output, repeatableOption) = (repetition, output, option)
  }

  /// Returns the effect of running the command twice with its options.
  ///
  /// - Parameter words: The arguments of the command.
  func repetition(with words: [String]) -> Repetition {
    if words.contains(PageUse.dryRun) { return .reads }
    return repeatableOption.map(words.contains) == true ? .repeatable : repetition
  }
}

/// A kind of request that the page of `browse` can send: a command, and the options that it may have.
///
/// These options don't specify files. The server adds the options for the store, the model and the format.
struct PageUse {
  /// The content of the response.
  enum Output {
    /// JSON, one value per line.
    case lines
    /// The bytes of a stored value.
    case bytes
  }

  static let dryRun = "--dry-run"
  /// The option with the number of rows that the dry run has shown. Without it, the command could change more rows.
  static let expect = "--expect"

  /// An option that each such request contains, such as `--repair`.
  var with: String?
  /// The possible options with a value. Option and value are one argument, such as `--where=…`.
  var options: [String] = []
  /// The possible options without a value.
  var flags: [String] = []
  /// Whether the request may have positional arguments. This is false for commands in which they could only specify
  /// another store.
  var takesValues = true
  var output = Output.lines
  /// Whether the request requires a server with `--write`, and a previous dry run with the same arguments.
  var writes = false
  /// Whether the dry run is a check. It then doesn't require `--write`, and its exit status is 1 if it has findings.
  var triesByChecking = false
  /// Whether the command accepts `--closest`.
  var readsClosest = false

  /// Whether the request must contain `--expect`, unless it is a dry run.
  var takesExpectation: Bool { options.contains(Self.expect) }

  /// Returns whether a dry run with this exit status has shown the changes.
  func hasShown(_ status: Int) -> Bool { status == 0 || triesByChecking && status == 1 }
}

// MARK: Finding commands

extension CommandRow {
  /// All commands with their full names, such as `["migrate", "plan"]`. A command precedes its subcommands.
  static let all = root.below([])

  private func below(_ parents: [String]) -> [(words: [String], row: CommandRow)] {
    subcommands.flatMap { row in
      let words = parents + [row.name]
      return [(words, row)] + row.below(words)
    }
  }

  /// Returns the types of the subcommands of a top-level command, for its configuration.
  static func subcommands(of parent: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    root.subcommands.first { $0.type == parent }?.subcommands.map { $0.type } ?? []
  }

  /// Returns the command that the first arguments name, and the other arguments. If the first argument isn't a command,
  /// this is the root.
  static func spelled(
    by words: ArraySlice<String>
  ) -> (row: CommandRow, rest: ArraySlice<String>) {
    var (row, rest) = (root, words)
    while let word = rest.first, let next = row.subcommands.first(where: { $0.name == word }) {
      (row, rest) = (next, rest.dropFirst())
    }
    return (row, rest)
  }

  /// Returns the command that the first arguments name, or its default subcommand, and the other arguments.
  static func named(
    by words: ArraySlice<String>
  ) -> (command: any ParsableCommand.Type, rest: ArraySlice<String>) {
    let (row, rest) = spelled(by: words)
    return (row.type.configuration.defaultSubcommand ?? row.type, rest)
  }
}
