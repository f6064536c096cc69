extension FormatPredicate {
  /// Reads the format language.
  ///
  ///     try FormatPredicate(parsing: "name BEGINSWITH[cd] $TEXT AND items.@count > 2")
  ///
  /// - Throws: the first mistake, with its place; `diagnostic(in:)` explains it.
  public init(parsing text: String) throws(PredicateSyntaxError) {
    var parser = Parser(text)
    self = try parser.parsePredicate()
  }

  /// Reads text with `%@`, `%K`, `%d` …; the arguments take their places from left to right, and are
  /// never read as text of the language.
  public init(parsing text: String, arguments: [FormatArgument]) throws(PredicateSyntaxError) {
    var parser = Parser(text, arguments: arguments)
    self = try parser.parsePredicate()
  }
}

extension FormatExpression {
  /// Reads one expression: `price * amount`, `list.title`, `sum(price)`.
  public init(parsing text: String) throws(PredicateSyntaxError) {
    var parser = Parser(text)
    self = try parser.parseExpressionText()
  }

  public init(parsing text: String, arguments: [FormatArgument]) throws(PredicateSyntaxError) {
    var parser = Parser(text, arguments: arguments)
    self = try parser.parseExpressionText()
  }
}
