public import StoreDiagnostics

extension PredicateText {
  /// Parses the text; a mistake is explained at its place.
  public func predicate() throws(DiagnosticFailure) -> Predicate {
    try explained { () throws(PredicateError) in try Predicate(parsing: text) }
  }

  /// Parses the text; a mistake is explained at its place.
  public func expression() throws(DiagnosticFailure) -> Expression {
    try explained { () throws(PredicateError) in try Expression(parsing: text) }
  }

  /// Parses a list that is separated by commas; a mistake is explained at its place.
  public func list(
    as style: ListedExpression.Style
  ) throws(DiagnosticFailure) -> [ListedExpression] {
    try explained { () throws(PredicateError) in try Expression.parseList(text, as: style) }
  }

  private func explained<Result>(
    _ parse: () throws(PredicateError) -> Result
  ) throws(DiagnosticFailure) -> Result {
    do {
      return try parse()
    } catch {
      throw DiagnosticFailure(error.diagnostic(in: self))
    }
  }
}
