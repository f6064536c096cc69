extension Parser {
  /// text = expression end
  mutating func parseExpressionText() throws(PredicateSyntaxError) -> FormatExpression {
    try requireText()
    let operand = try parseExpression()
    let expression = try expression(operand)
    guard current.kind == .end else { throw unexpected(.endOfExpression) }
    try arguments?.requireAllUsed(at: current.range)
    return expression
  }

  /// expression = unary { operator unary }, operators of higher precedence first
  mutating func parseExpression(
    bindingTighterThan floor: Int = 0
  ) throws(PredicateSyntaxError) -> Operand {
    var left = try parseUnary()
    while left.isExpression, let found = BinaryOperator(current), found.precedence > floor {
      advance()
      let right = try parseExpression(bindingTighterThan: found.precedence)
      let kind = found(try expression(left), try expression(right))
      left = Operand(
        kind, rangeSince(left), height: try height(above: max(left.height, right.height)))
    }
    return left
  }

  /// unary = "-" unary | postfix
  ///
  /// A minus before a number is part of the number.
  private mutating func parseUnary() throws(PredicateSyntaxError) -> Operand {
    guard symbol == .minus, !peek().isNumber else { return try parsePostfix() }
    try enter()
    defer { leave() }
    let start = position
    advance()
    let operand = try parseUnary()
    return Operand(
      .negated(try expression(operand)), start..<operand.range.upperBound,
      height: try height(above: operand.height))
  }

  /// postfix = primary { "." step { "." step } | "[" index "]" }
  private mutating func parsePostfix() throws(PredicateSyntaxError) -> Operand {
    var operand = try parsePrimary()
    while operand.isExpression {
      if symbol == .dot {
        let steps = try parseSteps()
        // `.SELF` doesn't add a step.
        guard !steps.isEmpty else { continue }
        operand = Operand(
          .keyPath(base: try expression(operand), steps), rangeSince(operand),
          height: try height(above: operand.height))
      } else if symbol == .leftBracket {
        operand = try parseIndex(of: operand)
      } else {
        break
      }
    }
    return operand
  }

  /// index = "FIRST" | "LAST" | "SIZE" | expression
  @inline(never)
  private mutating func parseIndex(of operand: Operand) throws(PredicateSyntaxError) -> Operand {
    advance()
    let names: [Keyword: FormatIndex] = [.first: .first, .last: .last, .size: .size]
    let index: FormatIndex
    var height = operand.height
    if let name = current.keyword.flatMap({ names[$0] }), peek().symbol == .rightBracket {
      advance()
      index = name
    } else {
      let inner = try parseValue()
      height = max(height, inner.height)
      index = .at(try expression(inner))
    }
    try expect(.rightBracket)
    return Operand(
      .element(try expression(operand), index), rangeSince(operand),
      height: try self.height(above: height))
  }

  /// Parses an expression in brackets, braces or parentheses, which counts as a level of depth.
  mutating func parseValue() throws(PredicateSyntaxError) -> Operand {
    try enter()
    defer { leave() }
    return try parseExpression()
  }
}

extension Token {
  fileprivate var isNumber: Bool {
    switch kind {
    case .integer, .double: true
    default: false
    }
  }
}

extension Parser {
  /// placeholder = "%@" | "%K" { "." step } | "%d" | …
  mutating func parsePlaceholder() throws(PredicateSyntaxError) -> Operand {
    let token = current
    guard case .placeholder(let placeholder) = token.kind else { throw unexpected(.value) }
    if placeholder == .keyPath { return try parseKeyPath() }
    let (index, argument) = try takeArgument(at: token.range)
    advance()
    guard let expression = argument.expression(for: placeholder, range: TextRange(token.range))
    else { throw PredicateSyntaxError(.argumentMismatch(index: index, placeholder), token.range) }
    return Operand(expression.kind, token.range)
  }

  /// Returns the steps of the key path that replaces `%K`. The argument is a text, which is split at dots.
  mutating func takeKeyPathArgument() throws(PredicateSyntaxError) -> [KeyPathStep] {
    let range = current.range
    let (index, argument) = try takeArgument(at: range)
    advance()
    guard case .value(.string(let path)) = argument else {
      throw PredicateSyntaxError(.argumentMismatch(index: index, .keyPath), range)
    }
    var steps: [KeyPathStep] = []
    for key in path.split(separator: ".", omittingEmptySubsequences: false) {
      switch (key, CollectionOperator(rawValue: String(key))) {
      case ("", _): throw PredicateSyntaxError(.invalidKeyPath(path), range)
      case ("SELF", _), ("self", _): break
      case (_, let found?): steps.append(KeyPathStep(.collection(found), range: TextRange(range)))
      case (_, nil): steps.append(KeyPathStep(.key(String(key)), range: TextRange(range)))
      }
    }
    return steps
  }

  private mutating func takeArgument(
    at range: Range<Int>
  ) throws(PredicateSyntaxError) -> (index: Int, argument: FormatArgument) {
    guard var queue = arguments else {
      throw PredicateSyntaxError(.placeholderWithoutArguments, range)
    }
    defer { arguments = queue }
    return try queue.next(at: range)
  }
}

extension FormatArgument {
  /// Returns the expression that replaces a placeholder. A value is converted to the placeholder's type. Returns nil if
  /// the argument doesn't fit.
  fileprivate func expression(for placeholder: FormatPlaceholder, range: TextRange)
    -> FormatExpression?
  {
    guard placeholder != .object else { return expression(range: range) }
    guard case .value(let value) = self else { return nil }
    let converted: DataValue? =
      switch (placeholder, value) {
      case (.integer, .integer), (.double, .double), (.string, .string): value
      case (.integer, .boolean(let flag)): .integer(flag ? 1 : 0)
      case (.double, .integer(let number)): .double(Double(number))
      case (.double, .date(let seconds)): .double(seconds)
      case (.character, .string(let text)): text.count == 1 ? value : nil
      case (.character, .integer(let code)):
        UInt32(exactly: code).flatMap(Unicode.Scalar.init).map { .string(String($0)) }
      default: nil
      }
    return converted.map { FormatExpression(.constant($0), range: range) }
  }

  private func expression(range: TextRange) -> FormatExpression {
    switch self {
    case .value(let value): FormatExpression(.constant(value), range: range)
    case .list(let members):
      FormatExpression(.list(members.map { $0.expression(range: range) }), range: range)
    case .expression(let expression): FormatExpression(expression.kind, range: range)
    }
  }
}

/// The result of a grammar rule. An opening parenthesis can begin a condition or a value. To avoid parsing text twice,
/// the rules accept both, and the rule that requires a condition or a value then checks the result.
struct Operand {
  enum Content {
    case condition(FormatPredicate)
    case expression(FormatExpression)
  }

  var content: Content
  var range: Range<Int>
  /// The number of levels of the tree. It is limited so that recursive functions don't overflow the stack.
  var height: Int

  init(_ condition: FormatPredicate, _ range: Range<Int>, height: Int) {
    content = .condition(condition)
    self.range = range
    self.height = height
  }

  init(_ kind: FormatExpression.Kind, _ range: Range<Int>, height: Int = 1) {
    content = .expression(FormatExpression(kind, range: TextRange(range)))
    self.range = range
    self.height = height
  }

  var isExpression: Bool {
    if case .expression = content { true } else { false }
  }
}
