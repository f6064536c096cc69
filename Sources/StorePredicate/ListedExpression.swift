/// One entry of a list of expressions: `sum(price) AS total`, `-createdAt`.
public struct ListedExpression: Hashable, Sendable {
  /// The purpose of a list, which determines the syntax of its entries.
  public enum Style: Hashable, Sendable {
    /// Expressions only: `country,city`.
    case plain
    /// A minus before an expression means descending order: `name,-createdAt`.
    case sort
    /// An entry can have a name, as in `sum(price) AS total`, or be `*` for all attributes.
    case select
  }

  /// The expression without minus and alias.
  public var expression: FormatExpression
  /// The name after AS.
  public var alias: String?
  /// Whether a minus precedes the expression.
  public var isDescending: Bool
  /// The text of the expression, without minus and alias.
  public var text: String
  /// Whether the entry is `*`, which selects all attributes. The expression is then `SELF`.
  public var isAllAttributes = false
}

extension FormatExpression {
  /// Returns the entries of a comma-separated list, which is the form in command-line options.
  ///
  /// - Parameters:
  ///   - text: the text of the list.
  ///   - style: the syntax of the entries.
  /// - Returns: one or more entries.
  /// - Throws: `PredicateSyntaxError` for the first error.
  public static func parseList(
    _ text: String, as style: ListedExpression.Style
  ) throws(PredicateSyntaxError) -> [ListedExpression] {
    var parser = Parser(text)
    return try parser.parseExpressionList(text, as: style)
  }
}

extension Parser {
  /// text = entry { "," entry } end
  fileprivate mutating func parseExpressionList(
    _ text: String, as style: ListedExpression.Style
  ) throws(PredicateSyntaxError) -> [ListedExpression] {
    try requireText()
    var entries: [ListedExpression] = []
    repeat {
      entries.append(try parseEntry(of: text, as: style))
    } while take(.comma)
    guard current.kind == .end else { throw unexpected(.endOfExpression) }
    return entries
  }

  /// entry = "*" | ["-"] expression ["AS" name]
  private mutating func parseEntry(
    of text: String, as style: ListedExpression.Style
  ) throws(PredicateSyntaxError) -> ListedExpression {
    if style == .select, symbol == .times { return takeAllAttributes() }
    let isDescending = style == .sort && take(.minus)
    let start = current.range.lowerBound
    let expression = try expression(try parseExpression())
    let written = text.utf8.dropFirst(start).prefix(previousEnd - start)
    let alias = style == .select && take(word: .as) ? try parseAlias() : nil
    return ListedExpression(
      expression: expression, alias: alias, isDescending: isDescending,
      text: String(decoding: written, as: UTF8.self))
  }

  private mutating func takeAllAttributes() -> ListedExpression {
    let range = current.range
    advance()
    return ListedExpression(
      expression: FormatExpression(.selfObject, range: TextRange(range)), alias: nil,
      isDescending: false,
      text: Symbol.times.rawValue, isAllAttributes: true)
  }

  /// name = word | string
  private mutating func parseAlias() throws(PredicateSyntaxError) -> String {
    switch current.kind {
    case .word(let name, _), .escapedWord(let name), .string(let name):
      advance()
      return name
    default: throw unexpected(.alias)
    }
  }
}
