import StoreDiagnostics

/// The reason why `each` can't start or continue.
enum FleetError: Error, Hashable {
  /// The command after `--`, or `--` itself, is missing. `meant` is an argument that has the name of a command, so that
  /// `--` is probably missing before it.
  case noCommand(meant: String?)
  case wrongCommand(String, known: [String])
  /// A command that doesn't work on exactly one store.
  case noStoreCommand(String)
  case namesStore(String)
  case keepsRunning(String)
  case readsInput
  case secondSeparator
  /// - Parameter filter: the pattern for names of files in the folders.
  case noStores(filter: String?, in: [LocalPath])
  /// `diff` without `--since`, which compares two stores.
  case comparesStores
  case otherJournal(path: LocalPath, command: String)
  case journalInUse(LocalPath)
  case notAJournal(LocalPath)
  case journalNotWritten(LocalPath, reason: String)
  case needsJournal(String)
  case workerNotStarted(reason: String)
  /// A placeholder in the name of an option.
  case placeholderInOption(String)
  /// An argument that begins with a placeholder. The placeholder's value for this store begins with `-`.
  case placeholderAsOption(String, value: String)
  /// A literal with a placeholder. With the value for this store, it begins with a parenthesis and would be read as a
  /// predicate.
  case placeholderInDescription(String)
}

extension FleetError: DiagnosableError {
  var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .noCommand(let meant):
      usage(
        "the command to run is missing",
        meant.map { "write -- before '\($0)'" }
          ?? "write it after --: storetool each Stores/ -- info")
    case .wrongCommand(let name, let known):
      usage("unknown command '\(name)'").didYouMean(name, among: known)
    case .noStoreCommand(let name):
      usage(
        "'each' can't run '\(name)', because 'each' runs only commands that use one existing store "
          + "and end by themselves"
      )
    case .comparesStores:
      usage("'each' can't run 'diff' without --since, because it compares two stores")
    case .namesStore(let store):
      usage(
        "the command specifies the store '\(store)' itself", "specify the stores before --")
    case .keepsRunning(let option):
      usage("\(option) never ends, so the next store would never start")
    case .readsInput:
      usage(
        "the command reads standard input, which is only available to one store",
        "specify a file, for example one per store: {store.name}.ndjson")
    case .secondSeparator: usage("the command contains another '--'")
    case .needsJournal("--canary"):
      usage(
        "without a terminal, --canary stops the run and requires --journal to record the processed stores",
        "with --journal FILE, the next run continues with the remaining stores")
    case .needsJournal(let option): usage("\(option) requires --journal")
    case .noStores(let filter?, let folders) where !folders.isEmpty:
      DiagnosticMessage(
        .error, "each.no-stores",
        "no file in \(folders.count == 1 ? "'\(folders[0])'" : "the folders") matches --filter '\(filter)'",
        cause: .notFound)
    case .noStores:
      DiagnosticMessage(
        .error, "each.no-stores", "there are no stores", cause: .notFound,
        help: [
          "specify stores or folders: storetool each Stores/ -- info",
          """
          in a folder, files are stores if their names end in \
          \(StoreAtHand.suffixes.joined(separator: ", ")); for other names use --filter '*'
          """,
        ])
    case .otherJournal(let path, let command):
      DiagnosticMessage(
        .error, "each.other-journal",
        "the journal '\(path)' belongs to another command: \(command)",
        cause: .usage,
        help: ["use another file for this command, or run the command of the journal"])
    case .journalInUse(let path):
      DiagnosticMessage(
        .error, "each.journal-in-use", "another run is using the journal '\(path)'", cause: .busy,
        help: ["wait until it ends"])
    case .notAJournal(let path):
      DiagnosticMessage(
        .error, "each.not-a-journal", "'\(path)' isn't a journal of 'each'", cause: .invalid,
        help: ["use another file; a missing file is created"])
    case .journalNotWritten(let path, let reason):
      DiagnosticMessage(
        .error, "each.journal-not-written", "the journal '\(path)' can't be written: \(reason)",
        cause: .inputOutput,
        help: ["fix the cause, then run the same command again to continue"])
    case .workerNotStarted(let reason):
      DiagnosticMessage(
        .error, "each.worker-not-started", "can't start a worker process: \(reason)",
        cause: .inputOutput)
    case .placeholderInOption(let word):
      placeholder("a placeholder can't be part of an option: '\(word)'")
    case .placeholderAsOption(let word, let value):
      placeholder(
        "'\(word)' is '\(value)' for this store, which looks like an option",
        "to pass a path, write './\(word)'")
    case .placeholderInDescription(let word):
      placeholder(
        "the value of '\(word)' would be a predicate for this store, because it begins with a parenthesis",
        "use ':=' instead of '=' to assign an expression, in which a placeholder is a string")
    }
  }

  private func placeholder(_ sentence: String, _ help: DiagnosticRemedy...) -> DiagnosticMessage {
    DiagnosticMessage(.error, "each.placeholder", sentence, cause: .usage, help: help)
  }

  private func usage(_ sentence: String, _ help: DiagnosticRemedy...) -> DiagnosticMessage {
    DiagnosticMessage(.error, "each.usage", sentence, cause: .usage, help: help)
  }
}
