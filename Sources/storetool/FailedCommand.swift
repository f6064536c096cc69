import ArgumentParser
import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreModelReader

/// The output and the exit status of a command that threw an error. The parser also throws the help and the version.
struct FailedCommand {
  private let error: any Error
  /// The arguments of the command: those in the `ParsingError`, otherwise the arguments of the process.
  private let words: ArraySlice<String>

  init(_ error: any Error) {
    if let error = error as? ParsingError {
      (self.error, words) = (error.error, error.words[...])
    } else {
      (self.error, words) = (error, ArgumentText.all[...])
    }
  }

  /// Prints the messages and exits.
  func leave() -> Never {
    Terminal.exit(report().status)
  }

  /// Prints the messages.
  ///
  /// - Returns: The exit status, and the first error; nil if the messages don't contain an error.
  func report() -> (status: ExitStatus, first: DiagnosticMessage?) {
    switch error {
    case let status as CheckFound:
      return (status.status, nil)
    case is OutputClosed:
      // The reader has closed the pipe, as in `| head`.
      return (.done, nil)
    case let known as any DiagnosableError:
      let source = sourceOfMissingFile
      let diagnostics = known.diagnostics.map {
        let diagnostic = fillsStore ? $0 : $0.withoutCreation
        return source.map { diagnostic.helping("\($0) specifies this file") } ?? diagnostic
      }
      Terminal.report(diagnostics)
      let first = diagnostics.first { $0.severity == .error }
      return (ExitStatus(first?.cause ?? .bug), first)
    default:
      return reportOfParser()
    }
  }

  /// The environment variable or the file of the settings that specifies the missing store or model of the error;
  /// otherwise nil.
  private var sourceOfMissingFile: String? {
    switch error {
    case DatabaseError.notFound(let path):
      Self.source(of: path, Workspace.storeVariable, Settings.ifSound.store)
    case ModelBundleError.noSuchFile(let path):
      Self.source(of: path, Workspace.modelVariable, Settings.ifSound.model)
    default: nil
    }
  }

  private static func source(
    of path: LocalPath, _ variable: String, _ setting: LocalPath?
  ) -> String? {
    if let named = LocalPath(variable: variable) {
      return named.spelled == path.spelled ? "$\(variable)" : nil
    }
    guard let setting, setting.spelled == path.spelled else { return nil }
    return Settings.ifSound.file.map { "'\($0)'" }
  }

  /// Whether the command inserts rows. Advice to create a missing store is only useful for such a command.
  private var fillsStore: Bool {
    let command = CommandRow.named(by: words).command
    let inserting: [any ParsableCommand.Type] = [
      InsertCommand.self, BatchInsertCommand.self, ImportCommand.self, SeedCommand.self,
    ]
    return inserting.contains { $0 == command }
  }

  /// Prints a result of the argument parser: the help, the version, a completion script, or a usage error. Any other
  /// error is reported as a bug.
  private func reportOfParser() -> (status: ExitStatus, first: DiagnosticMessage?) {
    let code = Storetool.exitCode(for: error)
    switch code {
    case .success:
      let text = CompletionScript.completed(Storetool.fullMessage(for: error), for: words)
      do {
        try OutputFile.standard.write(text + "\n")
      } catch {
        return FailedCommand(error).report()
      }
      return (.done, nil)
    case .validationFailure:
      return (.usage, reportUsage())
    default:
      let bug = DiagnosticMessage(.error, "bug", "unexpected error: \(error)", cause: .bug)
        .helping("this is a bug in storetool; please report it with the command that you ran")
      Terminal.report([bug])
      return (.bug, bug)
    }
  }

  /// Prints the usage error and the usage of the command.
  private func reportUsage() -> DiagnosticMessage? {
    let message = ParserMessage(error)
    var diagnostics =
      UnknownCommand(in: words)?.diagnostics ?? [UsageError(message, in: words).diagnostic]
    if Terminal.reportsJSON {
      for line in message.usage {
        diagnostics[0] = diagnostics[0].helping(String(line.drop { $0 == " " }))
      }
    }
    Terminal.report(diagnostics)
    if !Terminal.reportsJSON { Terminal.err.write(message.usage.map { "  \($0)\n" }.joined()) }
    return diagnostics.first
  }
}

extension DiagnosticMessage {
  /// The diagnostic without the advice to create a store.
  fileprivate var withoutCreation: DiagnosticMessage {
    var copy = self
    copy.help.removeAll { if case .store(.create) = $0 { true } else { false } }
    return copy
  }
}

/// An error of parsing or running a command that `each` or the page of `browse` runs.
struct ParsingError: Error {
  let error: any Error
  /// The arguments of this command. Hints about usage errors refer to them.
  let words: [String]
}

/// A usage error of the parser. If the user's intention can be guessed, the diagnostic has a hint or another message.
struct UsageError {
  private let message: ParserMessage
  private let command: any ParsableCommand.Type
  private let words: ArraySlice<String>

  init(_ message: ParserMessage, in words: ArraySlice<String>) {
    self.message = message
    self.words = words
    command = CommandRow.named(by: words).command
  }

  var diagnostic: DiagnosticMessage {
    let diagnostic = DiagnosticMessage(.error, "usage", message.text, cause: .usage)
    switch message.meaning {
    case .unknownOption(let option): return unknown(option)
    case .unexpectedArgument(let argument):
      return argumentHelp(argument).map { diagnostic.helping($0) } ?? diagnostic
    case .invalidValue(let placeholder):
      return Self.forms[placeholder].map { diagnostic.helping(.text($0)) } ?? diagnostic
    case .other: return diagnostic
    }
  }

  /// The help about the form of a value, by its placeholder in the usage.
  private static let forms = [
    "entity=count": "the form is Entity=count, such as Item=10, with at most 1000000000 rows",
    "number": "specify a whole number from 0",
    "number|date": "specify a number, or a date such as 2026-01-31",
    "size": "specify a whole number with an optional unit, such as 500000 or 100MB",
    "code": "the code of a finding has the form area.name, such as model.no-inverse",
    "position": "specify a whole number from 0",
    "count": "specify a whole number",
    "n": "specify a whole number",
  ]

  private func argumentHelp(_ argument: String) -> String? {
    guard StoreAtHand.isName(argument), options.contains("--store") else { return nil }
    return "specify the store by an option: --store '\(argument)'"
  }

  private func unknown(_ option: String) -> DiagnosticMessage {
    let diagnostic = DiagnosticMessage(.error, "usage", "Unknown option '\(option)'", cause: .usage)
    if let help = sideOfSeparator(option) { return diagnostic.helping(help) }
    let name = String(option.drop { $0 == "-" })
    let options = self.options
    if let format = CommonAliases.format(name), options.contains("--format") {
      return diagnostic.helping("write \(format)")
    }
    if name == "dry-run", options.contains("--allow-loss") || options.contains("--via") {
      return diagnostic.helping(
        "this command doesn't change the store; 'storetool migrate --dry-run' migrates a copy")
    }
    if let meant = CommonAliases.options[name],
      options.contains(String(meant.prefix { $0 != " " }))
    {
      return diagnostic.helping("write \(meant)")
    }
    if option == ClosestOption.name, let command = words.first {
      return DiagnosticMessage(
        .error, "usage", "\(option) only reads a store; '\(command)' doesn't accept it",
        cause: .usage)
    }
    if let help = CommonAliases.idleOptions[name] { return diagnostic.helping(help) }
    // Names are compared without dashes, because equal dashes would make all short names similar.
    let names = options.map { String($0.drop { $0 == "-" }) }.filter { $0.count > 1 }
    guard let near = Suggestion.nearest(to: name, among: names) else { return diagnostic }
    return diagnostic.helping("did you mean '--\(near)'?")
  }

  /// If the command is `each`, returns a hint for an option on the wrong side of `--`, or for a missing command after
  /// `--`; otherwise nil.
  private func sideOfSeparator(_ option: String) -> String? {
    let line = ArgumentText.all
    guard line.first == EachCommand.name else { return nil }
    guard words.first == EachCommand.name else {
      // The rejected arguments are those after `--`.
      return Self.options(of: EachCommand.self).contains(option)
        ? "this is an option of 'each': write it before --" : nil
    }
    let inner = words.drop { $0 != "--" }.dropFirst()
    guard !inner.isEmpty else {
      return
        "write the command and its options after --: storetool each Stores/ -- info --format json"
    }
    let (command, rest) = CommandRow.named(by: inner)
    guard Self.options(of: command).contains(option) else { return nil }
    let name = inner.dropLast(rest.count).joined(separator: " ")
    return option == "--store"
      ? "specify stores without an option: storetool each Stores/ -- \(name)"
      : "this is an option of '\(name)': write it after --, as in -- \(name) \(option) …"
  }

  private var options: [String] { Self.options(of: command) }

  /// Returns all names of options of a command; empty if the parser can't describe it.
  private static func options(of command: any ParsableCommand.Type) -> [String] {
    do {
      return try CommandOptions(of: command).words
    } catch {
      return []
    }
  }
}

/// The parser's message about a usage error. The parser describes the error only as text. No other type interprets this
/// text.
struct ParserMessage {
  enum Meaning: Hashable {
    case unknownOption(String)
    case unexpectedArgument(String)
    /// The value of an option or argument is missing or invalid. `placeholder` is its name in the usage, such as
    /// `count`.
    case invalidValue(placeholder: String)
    case other
  }

  /// The message without the usage, on one line.
  let text: String
  /// The lines from `Usage: …` to the end.
  let usage: [String]

  init(_ error: any Error) {
    text = Self.oneLine(Storetool.message(for: error))
    usage = Storetool.fullMessage(for: error).split(separator: "\n")
      .drop { !$0.hasPrefix("Usage:") }.map(String.init)
  }

  var meaning: Meaning {
    quoted(after: "Unknown option ").map(Meaning.unknownOption)
      ?? quoted(after: "Unexpected argument ").map(Meaning.unexpectedArgument)
      ?? placeholder.map(Meaning.invalidValue) ?? .other
  }

  /// The name in the usage of a value that is missing or invalid: `count` in `The value 'x' is invalid for '--limit
  /// <count>'`.
  private var placeholder: String? {
    guard text.hasPrefix("The value '") || text.hasPrefix("Missing value for '"),
      text.hasSuffix(">'"), let start = text.lastIndex(of: "<")
    else { return nil }
    return String(text[start...].dropFirst().dropLast(2))
  }

  /// Returns the text in quotation marks after `beginning`; nil if the message doesn't begin with `beginning` and this
  /// text.
  private func quoted(after beginning: String) -> String? {
    guard text.hasPrefix(beginning + "'") else { return nil }
    let name = text.dropFirst(beginning.count + 1).prefix { $0 != "'" }
    return name.isEmpty ? nil : String(name)
  }

  /// Returns the message on one line. The parser lists the values of an option on separate lines.
  private static func oneLine(_ message: String) -> String {
    var lines = message.split(separator: "\n")[...]
    guard let first = lines.popFirst() else { return message }
    let values = lines.map { $0.drop { $0 == " " || $0 == "-" } }
    return ([String(first)] + [values.joined(separator: ", ")]).filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}
