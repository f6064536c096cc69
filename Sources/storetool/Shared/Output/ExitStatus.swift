import StoreDiagnostics

/// The exit status of a command. The numbers follow sysexits.h if it defines one.
enum ExitStatus: Int32, Sendable {
  case done = 0
  /// The command has run, but a check has findings, two stores differ, or a result is empty in spite of
  /// `--fail-on-empty`, for example.
  case found = 1
  /// Invalid arguments, a variable without a value, or an ambiguous model or store.
  case usage = 64
  /// An invalid model, predicate, value or record, or a file that isn't a store.
  case data = 65
  /// The arguments specify a file, entity, attribute, template, variable or revision that doesn't exist, for example.
  case notFound = 66
  /// A bug in storetool.
  case bug = 70
  /// The target exists or can't be created.
  case cannotCreate = 73
  /// Reading or writing failed, for example because of permissions or a full disk.
  case inputOutput = 74
  /// The store is locked.
  case busy = 75
  /// The model version of the store is unknown.
  case unknownVersion = 78
  /// A signal cancelled the command: Ctrl-C, or `kill`.
  case cancelled = 130

  init(_ cause: DiagnosticMessage.Cause) {
    self =
      switch cause {
      case .usage: .usage
      case .invalid: .data
      case .notFound: .notFound
      case .bug: .bug
      case .cannotCreate: .cannotCreate
      case .inputOutput: .inputOutput
      case .busy: .busy
      case .unknownVersion: .unknownVersion
      case .cancelled: .cancelled
      }
  }
}

/// Ends a command with a status other than 0 without a message, after it has printed its result.
struct CheckFound: Error {
  var status = ExitStatus.found
}
