/// Recursive descent parser with one function per grammar rule. The comment of the function contains the rule in EBNF:
/// tokens are in quotes, and other words, such as `or` and `end`, are names of rules.
///
/// This file contains the rules for conditions.
struct Parser {
  /// The maximum depth of parentheses and trees. Up to this depth, recursive functions fit on the stack of a secondary
  /// thread, which has half a megabyte. Deeper text is usually generated or malicious.
  static let maximumDepth = 80

  private let tokens: [Token]
  private var index = 0
  private var depth = 0
  var arguments: ArgumentQueue?

  init(_ text: String, arguments: [FormatArgument]? = nil) {
    tokens = Lexer.tokens(of: text)
    self.arguments = arguments.map { ArgumentQueue(arguments: $0) }
  }

  /// text = or end
  mutating func parsePredicate() throws(PredicateSyntaxError) -> FormatPredicate {
    try requireText()
    let operand = try parseOr()
    let predicate = try condition(operand)
    guard current.kind == .end else { throw unexpected(.connective) }
    try arguments?.requireAllUsed(at: current.range)
    return predicate
  }

  /// or = and { ("OR" | "||") and }
  mutating func parseOr() throws(PredicateSyntaxError) -> Operand {
    try enter()
    defer { leave() }
    let first = try parseAnd()
    guard keyword == .or || symbol == .or else { return first }
    var height = first.height
    var members = [try condition(first)]
    while take(word: .or) || take(.or) {
      let next = try parseAnd()
      height = max(height, next.height)
      members.append(try condition(next))
    }
    return Operand(.or(members), rangeSince(first), height: height + 1)
  }

  /// and = not { ("AND" | "&&") not }
  private mutating func parseAnd() throws(PredicateSyntaxError) -> Operand {
    let first = try parseNot()
    guard keyword == .and || symbol == .and else { return first }
    var height = first.height
    var members = [try condition(first)]
    while take(word: .and) || take(.and) {
      let next = try parseNot()
      height = max(height, next.height)
      members.append(try condition(next))
    }
    return Operand(.and(members), rangeSince(first), height: height + 1)
  }

  /// not = ("NOT" | "!") not | comparison
  private mutating func parseNot() throws(PredicateSyntaxError) -> Operand {
    let start = position
    guard take(word: .not) || take(.not) else { return try parseComparison() }
    try enter()
    defer { leave() }
    let negated = try parseNot()
    let condition = try condition(negated)
    return Operand(.not(condition), start..<negated.range.upperBound, height: negated.height + 1)
  }

  /// comparison = [modifier] value operator [options] value | value
  ///
  /// The result can be a condition, or a value without an operator. The caller checks which of them is valid.
  private mutating func parseComparison() throws(PredicateSyntaxError) -> Operand {
    let start = position
    let modifier = keyword.flatMap { ComparisonTable.modifiers[$0] }
    if modifier != nil { advance() }
    let left = try parseExpression()
    guard modifier != nil || left.isExpression else { return left }
    guard let `operator` = try parseOperator() else {
      if modifier == nil { return left }
      throw unexpected(.comparisonOperator)
    }
    let options = try parseOptions()
    let operatorRange = `operator`.start..<previousEnd
    let right = try parseExpression()
    let comparison = FormatComparison(
      try expression(left), `operator`.operator, try expression(right),
      modifier: modifier?.modifier ?? .direct, options: options,
      operatorRange: TextRange(operatorRange))
    if try parseOperator() != nil { throw PredicateSyntaxError(.chainedComparison, previousRange) }
    let height = max(left.height, right.height) + 1
    let condition = FormatPredicate.comparison(comparison)
    return Operand(
      modifier?.isNegated == true ? .not(condition) : condition, start..<previousEnd,
      height: height)
  }

  /// operator = "==" | "=" | … | "IN" | "CONTAINS" | …
  @inline(never)
  private mutating func parseOperator() throws(PredicateSyntaxError) -> (
    operator: FormatComparison.Operator, start: Int
  )? {
    let token = current
    let found: FormatComparison.Operator? =
      switch token.kind {
      case .symbol(let symbol): ComparisonTable.symbols[symbol]
      case .word(_, let keyword?): ComparisonTable.words[keyword]
      default: nil
      }
    if let found {
      advance()
      return (found, token.range.lowerBound)
    }
    try refuseForeignOperator()
    return nil
  }

  /// options = "[" letters "]", of the letters c d n l
  @inline(never)
  private mutating func parseOptions() throws(PredicateSyntaxError) -> FormatComparison.Options {
    var options: FormatComparison.Options = []
    guard take(.leftBracket) else { return options }
    guard case .word(let letters, _) = current.kind else { throw unexpected(.options) }
    for letter in letters {
      guard let option = ComparisonTable.options[Character(letter.lowercased())] else {
        throw PredicateSyntaxError(.unknownOption(letter), current.range)
      }
      options.insert(option)
    }
    advance()
    try expect(.rightBracket)
    return options
  }

  /// Rejects operators of other languages, and Apple's operators that aren't available for a store.
  @inline(never)
  private func refuseForeignOperator() throws(PredicateSyntaxError) {
    let token = current
    if token.keyword == .not || token.symbol == .not, let word = peek().keyword,
      ComparisonTable.words[word] != nil
    {
      let range = token.range.lowerBound..<peek().range.upperBound
      throw PredicateSyntaxError(.notBeforeOperator(word.rawValue), range)
    }
    let part: PredicateSyntaxError.Unsupported
    switch (token.kind, peek().kind) {
    case (.symbol(.assign), _): part = .assignment
    case (.word(_, .utiConformsTo), _): part = .utiConformsTo
    case (.word(_, .utiEquals), _): part = .utiEquals
    case (.word, .symbol(.colon)): part = .customSelector
    default: return
    }
    throw PredicateSyntaxError(.unsupported(part), token.range)
  }
}

// MARK: - Deciding between condition and value

extension Parser {
  /// Returns the operand as a condition. Throws an error if it is an expression.
  @inline(never)
  func condition(_ operand: Operand) throws(PredicateSyntaxError) -> FormatPredicate {
    switch operand.content {
    case .condition(let predicate): return predicate
    case .expression:
      guard endsCondition(current) else { throw unexpected(.comparisonOperator) }
      throw PredicateSyntaxError(.bareExpression, operand.range)
    }
  }

  @inline(never)
  func expression(_ operand: Operand) throws(PredicateSyntaxError) -> FormatExpression {
    switch operand.content {
    case .expression(let expression): return expression
    case .condition: throw PredicateSyntaxError(.conditionAsValue, operand.range)
    }
  }

  /// Whether `token` is valid after a condition.
  private func endsCondition(_ token: Token) -> Bool {
    switch token.kind {
    case .end, .word(_, .and), .word(_, .or), .symbol(.and), .symbol(.or),
      .symbol(.rightParenthesis), .symbol(.comma):
      true
    default: false
    }
  }

  /// Returns the height of a tree whose highest part has the height `height`. Throws an error if it exceeds the limit.
  func height(above height: Int) throws(PredicateSyntaxError) -> Int {
    guard height < Self.maximumDepth else {
      throw PredicateSyntaxError(.nestedTooDeeply(limit: Self.maximumDepth), previousRange)
    }
    return height + 1
  }

  mutating func enter() throws(PredicateSyntaxError) {
    guard depth < Self.maximumDepth else {
      throw PredicateSyntaxError(.nestedTooDeeply(limit: Self.maximumDepth), current.range)
    }
    depth += 1
  }

  mutating func leave() { depth -= 1 }
}

// MARK: - The cursor

extension Parser {
  var current: Token { tokens[index] }

  /// The keyword that the current token spells, or nil.
  var keyword: Keyword? {
    @inline(never) get { tokens[index].keyword }
  }

  var symbol: Symbol? {
    @inline(never) get { tokens[index].symbol }
  }

  /// The offset of the current token.
  var position: Int { tokens[index].range.lowerBound }

  func peek(_ ahead: Int = 1) -> Token { tokens[min(index + ahead, tokens.count - 1)] }

  var previousRange: Range<Int> { index > 0 ? tokens[index - 1].range : current.range }

  var previousEnd: Int { previousRange.upperBound }

  func rangeSince(_ operand: Operand) -> Range<Int> {
    operand.range.lowerBound..<max(operand.range.lowerBound, previousEnd)
  }

  /// Moves to the next token. Does nothing at the last token.
  mutating func advance() {
    if index < tokens.count - 1 { index += 1 }
  }

  // These functions aren't inlined, to keep the stack frames of the recursive rules small.
  @inline(never)
  mutating func take(_ symbol: Symbol) -> Bool {
    guard current.symbol == symbol else { return false }
    advance()
    return true
  }

  @inline(never)
  mutating func take(word keyword: Keyword) -> Bool {
    guard current.keyword == keyword else { return false }
    advance()
    return true
  }

  @inline(never)
  mutating func expect(_ symbol: Symbol) throws(PredicateSyntaxError) {
    guard !take(symbol) else { return }
    throw unexpected(symbol == .comma ? .comma : .closing(symbol.rawValue))
  }

  func requireText() throws(PredicateSyntaxError) {
    guard current.kind != .end else { throw PredicateSyntaxError(.emptyText, current.range) }
  }

  /// Returns the lexer's error if the current token is invalid, otherwise an error for the missing `expectation`.
  @inline(never)
  func unexpected(_ expectation: PredicateSyntaxError.Expectation) -> PredicateSyntaxError {
    if case .invalid(let kind) = current.kind { return PredicateSyntaxError(kind, current.range) }
    return PredicateSyntaxError(.expected(expectation), current.range)
  }
}
