/// One thing to tell the user: what is wrong, where, and what to do about it.
public struct Diagnostic: Hashable, Sendable {
  public enum Severity: String, Hashable, Sendable {
    case error, warning, note
  }

  /// Whose move it is. The command line turns a cause into its exit status.
  public enum Cause: Hashable, Sendable {
    /// The command was called wrongly, or does not say enough to act on.
    case usage
    /// A model, predicate, value or store does not hold what it should.
    case invalid
    /// A file, entity, property, template or variable of that name does not exist.
    case notFound
    /// A bug of ours.
    case bug
    /// The target exists already, or its folder does not take it.
    case cannotCreate
    /// Reading or writing failed: permission, a full disk.
    case inputOutput
    /// Another process holds the store.
    case busy
    /// The store belongs to no version of the models at hand.
    case unknownVersion
    /// The user stopped it.
    case cancelled
  }

  /// A piece of the user's text with a caret under part of it.
  public struct Excerpt: Hashable, Sendable {
    /// The text; the line of it that holds the range is shown.
    public var text: String
    /// UTF-8 offsets in `text`.
    public var range: Range<Int>
    /// Stands behind the caret: "in fetch request 'peopleFR'".
    public var note: String?

    public init(text: String, range: Range<Int>, note: String? = nil) {
      self.text = text
      self.range = range
      self.note = note
    }
  }

  public var severity: Severity
  /// Stable, for scripts and for searching: `predicate.unknown-key-path`.
  public var code: String
  /// One sentence, present tense, quotes around the user's words.
  public var message: String {
    didSet { argumentIssue = nil }
  }
  /// What the message says of an argument of the request, for an interface that has a name for it.
  public private(set) var argumentIssue: ArgumentIssue?
  public var cause: Cause
  public var place: SourcePlace?
  public var excerpt: Excerpt?
  /// What to do: the nearest name, or what to ask for instead.
  public var help: [Remedy]

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

  /// One about an argument of the request.
  public init(
    _ severity: Severity, _ code: String, _ problem: ArgumentIssue, cause: Cause = .invalid
  ) {
    self.init(severity, code, problem.sentence, cause: cause)
    argumentIssue = problem
  }

  /// Adds the nearest of `names` to the help; nothing when none is near.
  public func didYouMean(_ typed: String, among names: some Sequence<String>) -> Diagnostic {
    guard let name = Suggestion.nearest(to: typed, among: names) else { return self }
    return helping("did you mean '\(name)'?")
  }

  /// Adds the nearest of `names`, or, when none is near and there are few, all of them.
  public func didYouMean(
    _ typed: String, among names: [String], elseListing introduction: String
  ) -> Diagnostic {
    let guess = didYouMean(typed, among: names)
    guard guess.help == help, (1...Self.listLimit).contains(names.count) else { return guess }
    return helping("\(introduction): \(names.map { "'\($0)'" }.joined(separator: ", "))")
  }

  private static let listLimit = 12

  /// Adds a line of help that names nothing of an interface.
  public func helping(_ sentence: String) -> Diagnostic { helping(.text(sentence)) }

  /// Adds a line of help.
  public func helping(_ remedy: Remedy) -> Diagnostic {
    var copy = self
    copy.help.append(remedy)
    return copy
  }

  /// What is said all the same where it stops nothing.
  ///
  /// - Parameter prefix: what the message is about, here.
  package func asNote(_ prefix: String? = nil) -> Diagnostic {
    var note = self
    note.severity = .note
    if let prefix { note.message = "\(prefix): \(message)" }
    return note
  }
}

/// Finds the name that a misspelt one was meant to be.
public enum Suggestion {
  /// The nearest of `names` by edit distance, case ignored; nil when even that one is far.
  public static func nearest(to typed: String, among names: some Sequence<String>) -> String? {
    // Nobody mistypes a name of that length, and the distance takes as many steps as both have letters squared.
    guard typed.utf8.count <= lengthLimit else { return nil }
    let wanted = Array(typed.lowercased())
    // Any two names of one letter differ by one letter.
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

  /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
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

/// A line and a column of a file, both counted from 1; columns count Unicode scalars.
public struct SourcePlace: Hashable, Sendable {
  /// The path as the user gave it, or as discovery found it.
  public var file: String
  public var line: Int
  public var column: Int

  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }
}

extension SourcePlace: CustomStringConvertible {
  public var description: String { "\(file):\(line):\(column)" }
}

/// An error that can explain itself to the user. Its facts are data; the prose is made here.
public protocol DiagnosableError: Error {
  /// At least one; all the mistakes of one input, in the order in which they stand there.
  var diagnostics: [Diagnostic] { get }
}

/// Diagnostics on their way up as an error: all the mistakes that were found in one input.
public struct DiagnosticError: DiagnosableError, Hashable {
  public var diagnostics: [Diagnostic]

  public init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }

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
