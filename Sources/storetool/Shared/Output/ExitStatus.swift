import StoreDiagnostics

/// What a script learns from a command; the numbers follow sysexits.h where it has one.
enum ExitStatus: Int32, Sendable {
  case done = 0
  /// A check found something: `model check`.
  case found = 1
  /// Wrong call, missing variable, ambiguous model or store.
  case usage = 64
  /// Bad model, predicate, value or data; not a store.
  case data = 65
  /// No such file, entity, attribute, template or variable.
  case notFound = 66
  /// A bug of ours.
  case bug = 70
  /// The target exists or can't be made.
  case cannotCreate = 73
  /// Reading or writing failed: permission, full disk.
  case inputOutput = 74
  /// The store is locked.
  case busy = 75
  /// The store belongs to no known model version.
  case unknownVersion = 78
  case cancelled = 130

  init(_ cause: Diagnostic.Cause) {
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

/// Thrown by a checking command that has printed its findings.
struct CheckFound: Error {
  var status = ExitStatus.found
}
