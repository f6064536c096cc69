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
}

extension Diagnostic {
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
}
