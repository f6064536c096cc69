public import StoreDiagnostics

/// Predicate text with its location in a file.
public struct PredicateText: Hashable, Sendable {
  /// The text of a predicate, an expression or a list.
  public var text: String
  /// The location in a file; nil for text from the command line.
  public var origin: SourceOrigin?
  /// A description of the text's use, which is printed after the carets below the text: "in fetch request 'peopleFR'".
  public var context: String?

  /// Creates a text.
  ///
  /// - Parameters:
  ///   - text: the text of a predicate, an expression or a list.
  ///   - origin: the location in a file, or nil if the text isn't from a file.
  ///   - context: a description of the text's use for error messages.
  public init(_ text: String, origin: SourceOrigin? = nil, context: String? = nil) {
    self.text = text
    self.origin = origin
    self.context = context
  }

  /// Returns a diagnostic with the location and excerpt of a range of this text.
  ///
  /// - Parameters:
  ///   - diagnostic: a diagnostic without a location.
  ///   - range: UTF-8 offsets in this text.
  /// - Returns: the diagnostic with its location.
  public func locate(_ diagnostic: DiagnosticMessage, at range: Range<Int>) -> DiagnosticMessage {
    var located = diagnostic
    located.place = origin?.place(of: range.lowerBound, in: text)
    located.excerpt = .init(text: text, range: range, note: context)
    return located
  }

  /// Parses the text as a predicate.
  ///
  /// - Returns: the predicate.
  /// - Throws: `DiagnosticError` with the location of the first error.
  public func predicate() throws(DiagnosticError) -> FormatPredicate {
    try explained(as: .predicate) { () throws(PredicateSyntaxError) in
      try FormatPredicate(parsing: text)
    }
  }

  /// Parses the text as an expression.
  ///
  /// - Returns: the expression.
  /// - Throws: `DiagnosticError` with the location of the first error.
  public func expression() throws(DiagnosticError) -> FormatExpression {
    try explained(as: .expression) { () throws(PredicateSyntaxError) in
      try FormatExpression(parsing: text)
    }
  }

  /// Parses the text as a comma-separated list.
  ///
  /// - Parameter style: the syntax of the entries.
  /// - Returns: one or more entries.
  /// - Throws: `DiagnosticError` with the location of the first error.
  public func list(
    as style: ListedExpression.Style
  ) throws(DiagnosticError) -> [ListedExpression] {
    try explained(as: .list) { () throws(PredicateSyntaxError) in
      try FormatExpression.parseList(text, as: style)
    }
  }

  private func explained<Result>(
    as kind: PredicateSyntaxError.TextKind, _ parse: () throws(PredicateSyntaxError) -> Result
  ) throws(DiagnosticError) -> Result {
    do {
      return try parse()
    } catch {
      throw DiagnosticError(error.diagnostic(in: self, readAs: kind))
    }
  }
}

/// The UTF-8 offsets of a part of predicate text.
///
/// `==` returns true for all ranges. Predicates are therefore compared without their locations, and the compiler can
/// synthesize their conformance to `Hashable`.
public struct TextRange: Sendable {
  /// The offset of the first byte.
  public var lowerBound: Int
  /// The offset after the last byte.
  public var upperBound: Int

  /// The range of nodes that were created in code.
  public static let none = TextRange(0..<0)

  /// Creates a range.
  ///
  /// - Parameter range: UTF-8 offsets.
  public init(_ range: Range<Int>) {
    lowerBound = range.lowerBound
    upperBound = range.upperBound
  }

  /// The offsets as a `Range`.
  public var range: Range<Int> { lowerBound..<max(lowerBound, upperBound) }
}

extension TextRange: Hashable {
  public static func == (_: TextRange, _: TextRange) -> Bool { true }
  public func hash(into _: inout Hasher) {}
}
