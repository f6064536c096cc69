public import StoreDiagnostics

/// The text of a predicate, with its location in a file.
public struct PredicateText: Hashable, Sendable {
  /// The text.
  public var text: String
  /// The location in a file, or nil for text from the command line.
  public var origin: SourceOrigin?
  /// The context for the line with the caret: "in fetch request 'peopleFR'".
  public var context: String?

  /// Creates a text.
  ///
  /// - Parameters:
  ///   - text: the text of a predicate or an expression.
  ///   - origin: the location in a file, or nil for text from the command line.
  ///   - context: the context for messages, such as "in fetch request 'peopleFR'".
  public init(_ text: String, origin: SourceOrigin? = nil, context: String? = nil) {
    self.text = text
    self.origin = origin
    self.context = context
  }

  /// Returns a diagnostic with the location of a range in this text.
  public func locate(_ diagnostic: Diagnostic, at range: Range<Int>) -> Diagnostic {
    var located = diagnostic
    located.place = origin?.place(of: range.lowerBound, in: text)
    located.excerpt = .init(text: text, range: range, note: context)
    return located
  }

  /// Parses the text as a predicate.
  ///
  /// - Throws: an error that explains the first error in the text.
  public func predicate() throws(DiagnosticError) -> FormatPredicate {
    try explained { () throws(PredicateSyntaxError) in try FormatPredicate(parsing: text) }
  }

  /// Parses the text as an expression.
  ///
  /// - Throws: an error that explains the first error in the text.
  public func expression() throws(DiagnosticError) -> FormatExpression {
    try explained { () throws(PredicateSyntaxError) in try FormatExpression(parsing: text) }
  }

  /// Parses the text as a list that is separated by commas.
  ///
  /// - Throws: an error that explains the first error in the text.
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

/// A range of UTF-8 offsets in the text of a predicate.
///
/// `==` treats all ranges as equal, so that trees are compared without their locations and can use the synthesized
/// `Hashable`.
public struct TextRange: Sendable {
  /// The offset of the first byte.
  public var lowerBound: Int
  /// The offset after the last byte.
  public var upperBound: Int

  /// The location of nodes that code creates.
  public static let none = TextRange(0..<0)

  /// Creates a range of UTF-8 offsets.
  public init(_ range: Range<Int>) {
    lowerBound = range.lowerBound
    upperBound = range.upperBound
  }

  /// The range of UTF-8 offsets.
  public var range: Range<Int> { lowerBound..<max(lowerBound, upperBound) }
}

extension TextRange: Hashable {
  /// Returns true for any two ranges.
  public static func == (_: TextRange, _: TextRange) -> Bool { true }
  /// Hashes nothing, because all ranges are equal.
  public func hash(into _: inout Hasher) {}
}
