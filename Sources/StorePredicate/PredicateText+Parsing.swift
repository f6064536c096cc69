public import StoreDiagnostics

extension PredicateText {
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
