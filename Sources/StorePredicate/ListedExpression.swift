/// An entry in a list of expressions, such as `sum(price) AS total` or `-createdAt`.
public struct ListedExpression: Hashable, Sendable {
  /// The use of a list, which determines the grammar of its entries.
  public enum Style: Hashable, Sendable {
    /// Only expressions: `country,city`.
    case plain
    /// A minus before an entry means descending order: `name,-createdAt`.
    case sort
    /// An entry can have a name, as in `sum(price) AS total`, or can be `*` for all attributes.
    case select
  }

  /// The expression of the entry.
  public var expression: FormatExpression
  /// The name after AS.
  public var alias: String?
  /// Whether the entry begins with a minus.
  public var isDescending: Bool
  /// The text of the expression, without the minus and the name.
  public var text: String
  /// Whether the entry is `*`: all attributes of the object. The expression is then SELF.
  public var isAllAttributes = false
}

extension FormatExpression {
  /// Parses a list that is separated by commas, as in options of the command line.
  ///
  /// - Throws: the first error in the text with its location.
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
