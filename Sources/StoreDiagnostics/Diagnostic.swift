/// A message for the user: the problem, its location, and remedies.
public struct Diagnostic: Hashable, Sendable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Sendable {
    /// The operation failed.
    case error
    /// The operation continues, but its result may be unexpected.
    case warning
    /// Additional information.
    case note
  }

  /// The category of a cause, from which the command line derives its exit status.
  public enum Cause: Hashable, Sendable {
    /// The command has wrong or insufficient arguments.
    case usage
    /// A model, predicate, value or store is invalid.
    case invalid
    /// A file, entity, property, template or variable doesn't exist.
    case notFound
    /// A bug in storetool.
    case bug
    /// The target already exists, or can't be created in its folder.
    case cannotCreate
    /// Reading or writing failed, for example because of permissions or a full disk.
    case inputOutput
    /// Another process has locked the store.
    case busy
    /// The store doesn't belong to a version of the available models.
    case unknownVersion
    /// The user canceled the operation.
    case cancelled
  }

  /// A text of the user with a caret below a part of it.
  public struct Excerpt: Hashable, Sendable {
    /// The text, of which the line with the range is shown.
    public var text: String
    /// The range in `text`, as UTF-8 offsets.
    public var range: Range<Int>
    /// The text after the caret: "in fetch request 'peopleFR'".
    public var note: String?

    /// Creates an excerpt.
    ///
    /// - Parameters:
    ///   - text: the text, of which the line with the range is shown.
    ///   - range: the range in `text`, as UTF-8 offsets.
    ///   - note: the text after the caret.
    public init(text: String, range: Range<Int>, note: String? = nil) {
      self.text = text
      self.range = range
      self.note = note
    }
  }

  /// The severity.
  public var severity: Severity
  /// A stable code for scripts and searches, such as `predicate.unknown-key-path`.
  public var code: String
  /// A sentence in the present tense. The user's words are in quotes.
  public var message: String {
    didSet { argumentIssue = nil }
  }
  /// The issue of a request's argument, for an interface with its own name for the argument.
  public private(set) var argumentIssue: ArgumentIssue?
  /// The category of the cause.
  public var cause: Cause
  /// The location in a file, if there is one.
  public var place: SourcePlace?
  /// The user's text with a caret, if there is one.
  public var excerpt: Excerpt?
  /// The remedies, such as the nearest name.
  public var help: [Remedy]

  /// Creates a diagnostic.
  ///
  /// - Parameters:
  ///   - severity: the severity.
  ///   - code: a stable code, such as `predicate.unknown-key-path`.
  ///   - message: a sentence in the present tense.
  ///   - cause: the category of the cause.
  ///   - place: the location in a file.
  ///   - excerpt: the user's text with a caret.
  ///   - help: the remedies.
  public init(
    _ severity: Severity, _ code: String, _ message: String, cause: Cause = .invalid,
    at place: SourcePlace? = nil, excerpt: Excerpt? = nil, help: [Remedy] = []
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.cause = cause
    self.place = place
    self.excerpt = excerpt
    self.help = help
  }

  /// Creates a diagnostic about an argument of a request.
  ///
  /// - Parameters:
  ///   - severity: the severity.
  ///   - code: a stable code.
  ///   - problem: the issue of the argument.
  ///   - cause: the category of the cause.
  public init(
    _ severity: Severity, _ code: String, _ problem: ArgumentIssue, cause: Cause = .invalid
  ) {
    self.init(severity, code, problem.sentence, cause: cause)
    argumentIssue = problem
  }

  /// Returns the diagnostic with the nearest of `names` as a remedy, if one is near.
  ///
  /// - Parameters:
  ///   - typed: the wrong name.
  ///   - names: the valid names.
  public func didYouMean(_ typed: String, among names: some Sequence<String>) -> Diagnostic {
    guard let name = Suggestion.nearest(to: typed, among: names) else { return self }
    return helping("did you mean '\(name)'?")
  }

  /// Returns the diagnostic with the nearest of `names` as a remedy or, if none is near and there are few, with all of
  /// them.
  public func didYouMean(
    _ typed: String, among names: [String], elseListing introduction: String
  ) -> Diagnostic {
    let guess = didYouMean(typed, among: names)
    guard guess.help == help, (1...Self.listLimit).contains(names.count) else { return guess }
    return helping("\(introduction): \(names.map { "'\($0)'" }.joined(separator: ", "))")
  }

  private static let listLimit = 12

  /// Returns the diagnostic with a remedy that doesn't depend on an interface.
  ///
  /// - Parameter sentence: the remedy.
  public func helping(_ sentence: String) -> Diagnostic { helping(.text(sentence)) }

  /// Returns the diagnostic with another remedy.
  ///
  /// - Parameter remedy: the remedy.
  public func helping(_ remedy: Remedy) -> Diagnostic {
    var copy = self
    copy.help.append(remedy)
    return copy
  }

  /// Returns the diagnostic as a note.
  ///
  /// - Parameter prefix: the subject of the message.
  package func asNote(_ prefix: String? = nil) -> Diagnostic {
    var note = self
    note.severity = .note
    if let prefix { note.message = "\(prefix): \(message)" }
    return note
  }
}

/// Suggestions for misspelled names.
public enum Suggestion {
  /// Returns the nearest of `names` by edit distance, ignoring case, or nil if none is near.
  ///
  /// - Parameters:
  ///   - typed: the wrong name.
  ///   - names: the valid names.
  public static func nearest(to typed: String, among names: some Sequence<String>) -> String? {
    // Names of that length aren't typed, and the time is proportional to the product of both lengths.
    guard typed.utf8.count <= lengthLimit else { return nil }
    let wanted = Array(typed.lowercased())
    // Each two names of one letter have a distance of one.
    let maximumDistance = wanted.count == 1 ? 0 : max(1, min(3, wanted.count / 2))
    var best: (name: String, distance: Int)?
    for name in names where name != typed && name.utf8.count <= lengthLimit {
      let distance = editDistance(wanted, Array(name.lowercased()))
      guard distance <= maximumDistance, distance < best?.distance ?? .max else { continue }
      best = (name, distance)
    }
    return best?.name
  }

  private static let lengthLimit = 200

  /// Returns the number of insertions, deletions, replacements and transpositions (optimal string alignment).
  static func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var cost = min(replace, last[j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          cost = min(cost, beforeLast[j - 2] + 1)
        }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}

/// A line and a column of a file, which count from 1. Columns count Unicode scalars.
public struct SourcePlace: Hashable, Sendable {
  /// The path as the user specified it or as it was found.
  public var file: String
  /// The line, which counts from 1.
  public var line: Int
  /// The column, which counts from 1.
  public var column: Int

  /// Creates a location.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }
}

extension SourcePlace: CustomStringConvertible {
  public var description: String { "\(file):\(line):\(column)" }
}

/// An error with diagnostics for the user. The error contains data, and the diagnostics contain the text.
public protocol DiagnosableError: Error {
  /// At least one diagnostic. For an input, all its errors in their order.
  var diagnostics: [Diagnostic] { get }
}

/// Diagnostics as an error: all errors of an input.
public struct DiagnosticError: DiagnosableError, Hashable {
  /// The diagnostics, in the order of the input.
  public var diagnostics: [Diagnostic]

  /// Creates an error with several diagnostics.
  public init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }

  /// Creates an error with one diagnostic.
  public init(_ diagnostic: Diagnostic) {
    self.init([diagnostic])
  }
}

extension [Diagnostic] {
  /// Creates the diagnostics of an error. An error that isn't diagnosable is reported as a bug.
  package init(explaining error: any Error) {
    self =
      (error as? any DiagnosableError)?.diagnostics
      ?? [Diagnostic(.error, "bug", "unexpected error: \(error)", cause: .bug)]
  }
}
