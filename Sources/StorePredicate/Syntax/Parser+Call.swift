extension Parser {
  /// Whether the current token begins a function name with colons and a parenthesis, such as `a:b:(`.
  var startsFunctionName: Bool {
    guard case .word = current.kind, peek().symbol == .colon else { return false }
    var ahead = 1
    while peek(ahead).symbol == .colon {
      guard case .word = peek(ahead + 1).kind else {
        return peek(ahead + 1).symbol == .leftParenthesis
      }
      ahead += 2
    }
    return false
  }

  /// call = subquery | cast | ternary | method | function
  mutating func parseCall() throws(PredicateSyntaxError) -> Operand {
    switch keyword {
    case .subquery: return try parseSubquery()
    case .cast: return try parseCast()
    case .ternary: return try parseTernary()
    case .function: return try parseMethod()
    case .fetch: throw PredicateSyntaxError(.unsupported(.fetch), current.range)
    case let keyword? where !keyword.isNameInValuePosition: return try parseKeyword(keyword)
    default: return try parseFunction()
    }
  }

  /// function = name [ ":" { name ":" } ] "(" [ "*" | expression { "," expression } ] ")"
  @inline(never)
  private mutating func parseFunction() throws(PredicateSyntaxError) -> Operand {
    let start = position
    var name = ""
    while case .word(let part, _) = current.kind {
      advance()
      name += part
      guard take(.colon) else { break }
      name += ":"
    }
    let nameRange = start..<previousEnd
    let candidates = BuiltIn.named(name)
    guard !candidates.isEmpty else { throw PredicateSyntaxError(.unknownFunction(name), nameRange) }
    try expect(.leftParenthesis)
    let arguments = try parseCallArguments(of: candidates)
    let count = arguments.expressions.count
    let builtIn = candidates.first { $0.arity.contains(count) } ?? candidates[0]
    return try call(
      builtIn, as: name, arguments.expressions, start..<previousEnd, height: arguments.height)
  }

  /// Parses a list of expressions, or the star in `count(*)`, which counts rows.
  private mutating func parseCallArguments(
    of candidates: [BuiltIn]
  ) throws(PredicateSyntaxError) -> (expressions: [FormatExpression], height: Int) {
    if candidates == [.function(.count)], symbol == .times,
      peek().symbol == .rightParenthesis
    {
      let star = FormatExpression(.selfObject, range: TextRange(current.range))
      advance()
      advance()
      return ([star], 1)
    }
    return try parseMembers(until: .rightParenthesis)
  }

  private func call(
    _ builtIn: BuiltIn, as name: String, _ arguments: [FormatExpression], _ range: Range<Int>,
    height: Int
  ) throws(PredicateSyntaxError) -> Operand {
    guard builtIn.arity.contains(arguments.count) else {
      let error = PredicateSyntaxError.Kind.argumentCount(
        function: name, expected: builtIn.arity, found: arguments.count)
      throw PredicateSyntaxError(error, range)
    }
    let kind: FormatExpression.Kind =
      switch builtIn {
      case .function(let function): .function(function, arguments)
      case .arithmetic(let symbol): .arithmetic(symbol, arguments[0], arguments[1])
      case .element: .element(arguments[0], .at(arguments[1]))
      case .cast: try cast(arguments[0], toTypeNamedBy: arguments[1])
      }
    return Operand(kind, range, height: try self.height(above: height))
  }

  /// cast = "CAST" "(" expression "," string ")"
  @inline(never)
  private mutating func parseCast() throws(PredicateSyntaxError) -> Operand {
    let start = openCall()
    let value = try parseValue()
    try expect(.comma)
    let type = try parseValue()
    try expect(.rightParenthesis)
    return Operand(
      try cast(try expression(value), toTypeNamedBy: try expression(type)), start..<previousEnd,
      height: try height(above: value.height))
  }

  /// ternary = "TERNARY" "(" or "," expression "," expression ")"
  @inline(never)
  private mutating func parseTernary() throws(PredicateSyntaxError) -> Operand {
    let start = openCall()
    let test = try parseOr()
    let condition = try condition(test)
    try expect(.comma)
    let whenTrue = try parseValue()
    try expect(.comma)
    let whenFalse = try parseValue()
    try expect(.rightParenthesis)
    let height = max(test.height, whenTrue.height, whenFalse.height)
    return Operand(
      .ternary(condition, try expression(whenTrue), try expression(whenFalse)),
      start..<previousEnd, height: try self.height(above: height))
  }

  /// subquery = "SUBQUERY" "(" expression "," variable "," or ")"
  @inline(never)
  private mutating func parseSubquery() throws(PredicateSyntaxError) -> Operand {
    let start = openCall()
    let collection = try parseValue()
    try expect(.comma)
    guard case .variable(let variable) = current.kind else { throw unexpected(.variable) }
    advance()
    try expect(.comma)
    let test = try parseOr()
    let condition = try condition(test)
    try expect(.rightParenthesis)
    return Operand(
      .subquery(collection: try expression(collection), variable: variable, condition),
      start..<previousEnd, height: try height(above: max(collection.height, test.height)))
  }

  /// method = "FUNCTION" "(" expression "," string { "," expression } ")"
  ///
  /// A literal selector as the first argument calls a built-in function: `FUNCTION('add:to:', 1, 1)`.
  @inline(never)
  private mutating func parseMethod() throws(PredicateSyntaxError) -> Operand {
    let start = openCall()
    if case .string(let selector) = current.kind, peek().symbol == .comma,
      let builtIn = BuiltIn.named(selector).first, selector.contains(":")
    {
      return try parseBuiltInMethod(builtIn, selector, from: start)
    }
    let receiver = try parseValue()
    try expect(.comma)
    guard case .string(let selector) = current.kind else { throw unexpected(.selector) }
    advance()
    var arguments: (expressions: [FormatExpression], height: Int) = ([], 0)
    if take(.comma) {
      arguments = try parseMembers(until: .rightParenthesis)
    } else {
      try expect(.rightParenthesis)
    }
    let kind = FormatExpression.Kind.method(
      receiver: try expression(receiver), selector: selector, arguments: arguments.expressions)
    let height = max(receiver.height, arguments.height)
    return Operand(kind, start..<previousEnd, height: try self.height(above: height))
  }

  private mutating func parseBuiltInMethod(
    _ builtIn: BuiltIn, _ selector: String, from start: Int
  ) throws(PredicateSyntaxError) -> Operand {
    advance()
    try expect(.comma)
    let arguments = try parseMembers(until: .rightParenthesis)
    return try call(
      builtIn, as: selector, arguments.expressions, start..<previousEnd, height: arguments.height)
  }

  /// Skips a name and the opening parenthesis, and returns the position of the name.
  private mutating func openCall() -> Int {
    let start = position
    advance()
    advance()
    return start
  }
}
