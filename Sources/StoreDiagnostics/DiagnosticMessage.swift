#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message for the user: the problem, its location, and remedies.
public struct DiagnosticMessage: Hashable, Sendable {
  /// The severity of a diagnostic.
  public enum Severity: String, Hashable, Sendable {
    /// The operation failed.
    case error
    /// The operation continues, but its result may be unexpected.
    case warning
    /// Additional information.
    case note
  }

  /// The category of a diagnostic's cause, which determines the exit status of the command.
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
    /// Another process has locked the store, or wrote to it while it was read.
    case busy
    /// The store was written by a model version that isn't available.
    case unknownVersion
    /// The user canceled the operation.
    case cancelled
  }

  /// A part of the user's text, which is displayed with carets below the wrong range.
  public struct Excerpt: Hashable, Sendable {
    /// The whole text. Only the line in which the range begins is displayed.
    public var text: String
    /// The range below which the carets are displayed, as UTF-8 offsets in `text`.
    public var range: Range<Int>
    /// The text after the carets, such as "in fetch request 'peopleFR'".
    public var note: String?

    /// Creates an excerpt.
    ///
    /// - Parameters:
    ///   - text: the whole text. Only the line in which the range begins is displayed.
    ///   - range: the range below which the carets are displayed, as UTF-8 offsets in `text`.
    ///   - note: the text after the carets.
    public init(text: String, range: Range<Int>, note: String? = nil) {
      self.text = text
      self.range = range
      self.note = note
    }
  }

  /// The row and the properties whose values were rejected.
  public struct Subject: Hashable, Sendable {
    /// The entity, if it is known.
    public var entity: String?
    /// The attributes and relationships. A uniqueness constraint can have several.
    public var properties: [String]
    /// The primary key of the row, if the row exists.
    public var primaryKey: Int64?

    /// Creates a subject.
    ///
    /// - Parameters:
    ///   - entity: the entity, if it is known.
    ///   - properties: the attributes and relationships.
    ///   - primaryKey: the primary key of the row, if the row exists.
    public init(entity: String?, properties: [String] = [], primaryKey: Int64? = nil) {
      self.entity = entity
      self.properties = properties
      self.primaryKey = primaryKey
    }
  }

  /// The severity.
  public var severity: Severity
  /// A stable code for scripts and searches, such as `predicate.unknown-key-path`.
  public var code: String
  /// A sentence in the present tense. Names and values of the user are in quotes.
  public var message: String {
    didSet { argumentIssue = nil }
  }
  /// The issue as data, if the diagnostic is about an argument of a request. A user interface words it with its own
  /// name for the argument. Setting `message` sets the issue to nil.
  public private(set) var argumentIssue: ArgumentIssue?
  /// The category of the cause.
  public var cause: Cause
  /// The location in a file, if there is one.
  public var place: SourcePlace?
  /// The wrong part of the user's text, if there is one.
  public var excerpt: Excerpt?
  /// The row and the properties whose values were rejected, if the diagnostic is about values.
  public var subject: Subject?
  /// The remedies, such as the suggestion of a similar name.
  public var help: [DiagnosticRemedy]

  /// Creates a diagnostic.
  ///
  /// - Parameters:
  ///   - severity: the severity.
  ///   - code: a stable code, such as `predicate.unknown-key-path`.
  ///   - message: a sentence in the present tense.
  ///   - cause: the category of the cause.
  ///   - place: the location in a file.
  ///   - excerpt: the wrong part of the user's text.
  ///   - help: the remedies.
  public init(
    _ severity: Severity, _ code: String, _ message: String, cause: Cause = .invalid,
    at place: SourcePlace? = nil, excerpt: Excerpt? = nil, help: [DiagnosticRemedy] = []
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

  /// Returns an error.
  package static func error(
    _ code: String, _ message: String, cause: Cause = .invalid, help: [DiagnosticRemedy] = []
  ) -> DiagnosticMessage {
    DiagnosticMessage(.error, code, message, cause: cause, help: help)
  }

  /// Returns a warning.
  package static func warning(_ code: String, _ message: String) -> DiagnosticMessage {
    DiagnosticMessage(.warning, code, message)
  }

  /// Returns the diagnostic with a suggestion of the valid name that is most similar to the wrong name. Returns it
  /// unchanged if none of the valid names is similar.
  ///
  /// - Parameters:
  ///   - typed: the wrong name.
  ///   - names: the valid names.
  public func didYouMean(_ typed: String, among names: some Sequence<String>) -> DiagnosticMessage {
    guard let name = Suggestion.nearest(to: typed, among: names) else { return self }
    return helping("did you mean '\(name)'?")
  }

  /// Returns the diagnostic with a suggestion of the valid name that is most similar to the wrong name. If none is
  /// similar, the remedy lists the valid names, unless there are more than 12.
  ///
  /// - Parameters:
  ///   - typed: the wrong name.
  ///   - names: the valid names.
  ///   - introduction: the text before the list, without a colon.
  public func didYouMean(
    _ typed: String, among names: [String], elseListing introduction: String
  ) -> DiagnosticMessage {
    let guess = didYouMean(typed, among: names)
    guard guess.help == help, (1...Self.listLimit).contains(names.count) else { return guess }
    return helping("\(introduction): \(names.map { "'\($0)'" }.joined(separator: ", "))")
  }

  private static let listLimit = 12

  /// Returns the diagnostic with an additional remedy that is the same in all user interfaces.
  ///
  /// - Parameter sentence: the remedy as a sentence.
  public func helping(_ sentence: String) -> DiagnosticMessage { helping(.text(sentence)) }

  /// Returns the diagnostic with an additional remedy.
  ///
  /// - Parameter remedy: the remedy.
  public func helping(_ remedy: DiagnosticRemedy) -> DiagnosticMessage {
    var copy = self
    copy.help.append(remedy)
    return copy
  }

  /// Returns the diagnostic with the row and the properties that it is about.
  package func about(
    _ entity: String?, _ properties: [String] = [], key: Int64? = nil
  ) -> DiagnosticMessage {
    var copy = self
    copy.subject = Subject(entity: entity, properties: properties, primaryKey: key)
    return copy
  }

  /// Returns the diagnostic with the form of a valid text as an additional remedy, if there is one.
  package func helping(withForm form: String?) -> DiagnosticMessage {
    form.map { helping("write it as \($0)") } ?? self
  }

  /// Returns the diagnostic as a note.
  ///
  /// - Parameter prefix: the text before the message and a colon, or nil to keep the message.
  package func asNote(_ prefix: String? = nil) -> DiagnosticMessage {
    var note = self
    note.severity = .note
    if let prefix { note.message = "\(prefix): \(message)" }
    return note
  }
}

/// Suggestions for misspelled names.
package enum Suggestion {
  /// Returns the valid name that is most similar to the wrong name, or nil if none is similar. Similar names have a
  /// small edit distance. Case is ignored.
  ///
  /// - Parameters:
  ///   - typed: the wrong name.
  ///   - names: the valid names.
  package static func nearest(to typed: String, among names: some Sequence<String>) -> String? {
    // Longer names aren't typed by hand, and the time of a comparison is proportional to the product of both lengths.
    guard typed.utf8.count <= lengthLimit else { return nil }
    let wanted = Array(typed.lowercased())
    // All names of one letter have a distance of 1 from each other, so a suggestion would be arbitrary.
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

  /// Returns the number of insertions, deletions, replacements and transpositions of adjacent characters that convert
  /// one text to the other (optimal string alignment).
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

/// An error that can be displayed to the user. The error itself contains data, and its diagnostics contain the text.
public protocol DiagnosableError: Error {
  /// One or more diagnostics. If an input has several errors, they are in the order of the input.
  var diagnostics: [DiagnosticMessage] { get }
}

/// An error that consists of diagnostics, such as the errors of an input.
public struct DiagnosticError: DiagnosableError, Hashable {
  /// The diagnostics. For an input, they are in the order of the input.
  public var diagnostics: [DiagnosticMessage]

  /// Creates an error with several diagnostics.
  public init(_ diagnostics: [DiagnosticMessage]) {
    self.diagnostics = diagnostics
  }

  /// Creates an error with one diagnostic.
  public init(_ diagnostic: DiagnosticMessage) {
    self.init([diagnostic])
  }
}

extension LocalizedError where Self: DiagnosableError {
  /// The messages of the diagnostics, one in each line, without codes and remedies.
  public var errorDescription: String? { diagnostics.map(\.message).joined(separator: "\n") }

  /// The remedies of the diagnostics, one in each line. `nil` if there are none.
  public var recoverySuggestion: String? {
    let help = diagnostics.flatMap(\.help).map(\.description)
    return help.isEmpty ? nil : help.joined(separator: "\n")
  }
}

extension DiagnosticError: LocalizedError {}

extension [DiagnosticMessage] {
  /// Creates the diagnostics of an error. An error that isn't a `DiagnosableError` is reported as a bug in storetool.
  package init(explaining error: any Error) {
    self =
      (error as? any DiagnosableError)?.diagnostics
      ?? [DiagnosticMessage(.error, "bug", "unexpected error: \(error)", cause: .bug)]
  }
}
