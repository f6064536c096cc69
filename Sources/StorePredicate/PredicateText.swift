public import StoreDiagnostics

/// Predicate text, and where in which file it stands.
public struct PredicateText: Hashable, Sendable {
  public var text: String
  /// Nil for text from the command line.
  public var origin: SourceOrigin?
  /// What it belongs to, for the caret line: "in fetch request 'peopleFR'".
  public var context: String?

  public init(_ text: String, origin: SourceOrigin? = nil, context: String? = nil) {
    self.text = text
    self.origin = origin
    self.context = context
  }

  /// Puts a diagnostic at a range of this text.
  public func locate(_ diagnostic: Diagnostic, at range: Range<Int>) -> Diagnostic {
    var located = diagnostic
    located.place = origin?.place(of: range.lowerBound, in: text)
    located.excerpt = .init(text: text, range: range, note: context)
    return located
  }

  /// Parses the text; a mistake is explained at its place.
  public func predicate() throws(DiagnosticError) -> FormatPredicate {
    try explained { () throws(PredicateSyntaxError) in try FormatPredicate(parsing: text) }
  }

  /// Parses the text; a mistake is explained at its place.
  public func expression() throws(DiagnosticError) -> FormatExpression {
    try explained { () throws(PredicateSyntaxError) in try FormatExpression(parsing: text) }
  }

  /// Parses a list that is separated by commas; a mistake is explained at its place.
  public func list(
    as style: ListedExpression.Style
  ) throws(DiagnosticError) -> [ListedExpression] {
    try explained { () throws(PredicateSyntaxError) in
      try FormatExpression.parseList(text, as: style)
    }
  }

  private func explained<Result>(
    _ parse: () throws(PredicateSyntaxError) -> Result
  ) throws(DiagnosticError) -> Result {
    do {
      return try parse()
    } catch {
      throw DiagnosticError(error.diagnostic(in: self))
    }
  }
}

/// The UTF-8 offsets of a piece of predicate text.
///
/// Positions ride along in the tree, outside of `==`: any two ranges compare equal, so that trees
/// compare by meaning and the compiler can still synthesise `Hashable`.
public struct TextRange: Sendable {
  public var lowerBound: Int
  public var upperBound: Int

  /// For nodes that were built by code, not parsed.
  public static let none = TextRange(0..<0)

  public init(_ range: Range<Int>) {
    lowerBound = range.lowerBound
    upperBound = range.upperBound
  }

  public var range: Range<Int> { lowerBound..<max(lowerBound, upperBound) }
}

extension TextRange: Hashable {
  public static func == (_: TextRange, _: TextRange) -> Bool { true }
  public func hash(into _: inout Hasher) {}
}
