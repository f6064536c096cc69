import StoreDiagnostics

/// Why `each` can't begin, or can't go on.
enum FleetError: Error, Hashable {
  /// Nothing stands behind `--`, or there is no `--`.
  case noCommand(meant: String?)
  case wrongCommand(String, known: [String])
  /// A command that is about no store, or not about one alone.
  case noStoreCommand(String)
  case namesStore(String)
  case keepsRunning(String)
  case readsInput
  case secondSeparator
  case noStores
  /// The journal is of another command.
  case otherJournal(path: FilePath, command: String)
  case journalInUse(FilePath)
  case notAJournal(FilePath)
  case journalNotWritten(FilePath, reason: String)
  case needsJournal(String)
  case workerNotStarted(reason: String)
  /// A placeholder in the name of an option.
  case placeholderInOption(String)
  /// A word that begins with a placeholder, for a store whose value begins with `-`.
  case placeholderAsOption(String, value: String)
  /// A literal that would be a predicate because it begins with a parenthesis.
  case placeholderInDescription(String)
}

extension FleetError: DiagnosableError {
  var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .noCommand, .wrongCommand, .noStoreCommand, .namesStore, .keepsRunning, .readsInput,
      .secondSeparator,
      .needsJournal:
      usage
    case .noStores:
      Diagnostic(
        .error, "each.no-stores", "there are no stores", cause: .notFound,
        help: [
          "name stores or folders: storetool each Stores/ -- info",
          """
          in a folder those are taken whose names end in \
          \(StoreAtHand.suffixes.joined(separator: ", ")); others with --filter '*'
          """,
        ])
    case .otherJournal(let path, let command):
      Diagnostic(
        .error, "each.other-journal", "the journal '\(path)' is of another command: \(command)",
        cause: .usage, help: ["take another file for this command, or the command of the journal"])
    case .journalInUse(let path):
      Diagnostic(
        .error, "each.journal-in-use", "another run writes the journal '\(path)'", cause: .busy,
        help: ["wait until it has ended, with the stores that it has begun"])
    case .notAJournal(let path):
      Diagnostic(
        .error, "each.not-a-journal", "'\(path)' is not a journal of 'each'", cause: .invalid,
        help: ["take another file: one that is not there yet is made"])
    case .journalNotWritten(let path, let reason):
      Diagnostic(
        .error, "each.journal-not-written", "the journal '\(path)' can't be written: \(reason)",
        cause: .inputOutput,
        help: ["once it can, the same command goes on where this one has stopped"])
    case .workerNotStarted(let reason):
      Diagnostic(
        .error, "each.worker-not-started", "a process for the work can't be started: \(reason)",
        cause: .inputOutput)
    case .placeholderInOption(let word):
      placeholder("a placeholder can't be part of an option: '\(word)'", [])
    case .placeholderAsOption(let word, let value):
      placeholder(
        "'\(word)' is '\(value)' for this store, which would be an option",
        ["for a path write './\(word)'"])
    case .placeholderInDescription(let word):
      placeholder(
        "'\(word)' is a predicate for this store, because the value begins with a parenthesis",
        ["':=' in place of '=' assigns an expression, in which a placeholder is a string"])
    }
  }

  private func placeholder(_ sentence: String, _ help: [Remedy]) -> Diagnostic {
    Diagnostic(.error, "each.placeholder", sentence, cause: .usage, help: help)
  }

  private var usage: Diagnostic {
    let diagnostic = Diagnostic(.error, "each.usage", sentence, cause: .usage)
    switch self {
    case .noCommand(let meant?):
      return diagnostic.helping("write -- before '\(meant)'")
    case .noCommand:
      return diagnostic.helping("write it after --: storetool each Stores/ -- info")
    case .wrongCommand(let name, let known):
      return diagnostic.didYouMean(name, among: known)
    case .readsInput:
      return diagnostic.helping("name a file, which may be one for each store: {store.name}.ndjson")
    case .namesStore:
      return diagnostic.helping("name the stores before --")
    case .needsJournal(let option) where option == "--canary":
      return diagnostic.helping("with --journal FILE the next run goes on behind them")
    default:
      return diagnostic
    }
  }

  private var sentence: String {
    switch self {
    case .noCommand: "there is no command for the stores"
    case .wrongCommand(let name, _): "there is no command '\(name)'"
    case .noStoreCommand(let name): "'\(name)' is not about one store"
    case .namesStore(let store): "the command names the store '\(store)' itself"
    case .keepsRunning(let option): "\(option) does not end, and the next store would never begin"
    case .readsInput: "the command reads standard input, which is there for one store alone"
    case .secondSeparator: "the command has a '--' of its own"
    case .needsJournal("--canary"):
      "without a terminal --canary stops, and nothing would know which stores were done"
    case .needsJournal(let option): "\(option) goes with --journal"
    default: ""
    }
  }
}
