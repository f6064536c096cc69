extension Predicate {
  /// Reads the format language.
  ///
  ///     try Predicate(parsing: "name BEGINSWITH[cd] $TEXT AND items.@count > 2")
  ///
  /// - Throws: the first mistake, with its place; `diagnostic(in:)` explains it.
  public init(parsing text: String) throws(PredicateError) {
    var parser = Parser(text)
    self = try parser.parsePredicate()
  }

  /// Reads text with `%@`, `%K`, `%d` …; the arguments take their places from left to right, and are
  /// never read as text of the language.
  public init(parsing text: String, arguments: [FormatArgument]) throws(PredicateError) {
    var parser = Parser(text, arguments: arguments)
    self = try parser.parsePredicate()
  }
}

extension Expression {
  /// Reads one expression: `price * amount`, `list.title`, `sum(price)`.
  public init(parsing text: String) throws(PredicateError) {
    var parser = Parser(text)
    self = try parser.parseExpressionText()
  }

  public init(parsing text: String, arguments: [FormatArgument]) throws(PredicateError) {
    var parser = Parser(text, arguments: arguments)
    self = try parser.parseExpressionText()
  }
}
