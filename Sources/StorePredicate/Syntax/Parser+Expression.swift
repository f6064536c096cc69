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

  /// expression = unary { operator unary }, tighter operators first
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
  /// A minus right before digits is part of the number.
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
        // `.SELF` names the object that is there already.
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
    let names: [Keyword: Index] = [.first: .first, .last: .last, .size: .size]
    let index: Index
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

  /// An expression inside brackets of some kind: one level deeper.
  mutating func parseValue() throws(PredicateSyntaxError) -> Operand {
    try enter()
    defer { leave() }
    return try parseExpression()
  }
}

extension Token {
  var isNumber: Bool {
    switch kind {
    case .integer, .double: true
    default: false
    }
  }
}
