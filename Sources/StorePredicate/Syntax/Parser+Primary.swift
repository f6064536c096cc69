extension Parser {
  /// primary = literal | variable | placeholder | key path | call | list | "(" or ")"
  mutating func parsePrimary() throws(PredicateSyntaxError) -> Operand {
    let token = current
    switch token.kind {
    case .symbol(.leftParenthesis): return try parseParentheses()
    case .symbol(.leftBrace): return try parseList()
    case .symbol(.minus), .integer, .double: return try parseNumber()
    case .string(let text): return literal(.string(text))
    case .variable(let name):
      advance()
      return Operand(.variable(name), token.range)
    case .placeholder: return try parsePlaceholder()
    case .collectionOperator, .escapedWord: return try parseKeyPath()
    case .word(_, let keyword):
      if peek().symbol == .leftParenthesis || startsFunctionName { return try parseCall() }
      if let keyword { return try parseKeyword(keyword) }
      return try parseKeyPath()
    case .symbol, .end, .invalid: throw unexpected(.value)
    }
  }

  /// "(" or ")"
  @inline(never)
  private mutating func parseParentheses() throws(PredicateSyntaxError) -> Operand {
    let start = position
    advance()
    var operand = try parseOr()
    guard take(.rightParenthesis) else {
      guard operand.isExpression else { throw unexpected(.closing(")")) }
      if symbol == .comma {
        throw PredicateSyntaxError(.listInParentheses, start..<current.range.upperBound)
      }
      throw unexpected(.comparisonOperator)
    }
    operand.range = start..<previousEnd
    if case .expression(var expression) = operand.content {
      expression.range = TextRange(operand.range)
      operand.content = .expression(expression)
    }
    return operand
  }

  /// list = "{" [ expression { "," expression } ] "}"
  @inline(never)
  private mutating func parseList() throws(PredicateSyntaxError) -> Operand {
    let start = position
    advance()
    let members = try parseMembers(until: .rightBrace)
    return Operand(
      .list(members.expressions), start..<previousEnd, height: try height(above: members.height))
  }

  /// [ expression { "," expression } ], and the closing symbol
  mutating func parseMembers(
    until closing: Symbol
  ) throws(PredicateSyntaxError) -> (expressions: [FormatExpression], height: Int) {
    var expressions: [FormatExpression] = []
    var height = 0
    guard !take(closing) else { return (expressions, height) }
    repeat {
      let member = try parseValue()
      expressions.append(try expression(member))
      height = max(height, member.height)
    } while take(.comma)
    try expect(closing)
    return (expressions, height)
  }

  @inline(never)
  private mutating func parseNumber() throws(PredicateSyntaxError) -> Operand {
    let start = position
    let isNegative = take(.minus)
    let token = current
    advance()
    let range = start..<token.range.upperBound
    switch token.kind {
    case .double(let value): return Operand(.constant(.double(isNegative ? -value : value)), range)
    case .integer(let magnitude):
      // The magnitude of the least integer doesn't fit in an `Int64`.
      let value =
        isNegative && magnitude == Int64.min.magnitude
        ? Int64.min : Int64(exactly: magnitude).map { isNegative ? -$0 : $0 }
      guard let value else { throw PredicateSyntaxError(.numberOutOfRange, range) }
      return Operand(.constant(.integer(value)), range)
    default: throw unexpected(.value)
    }
  }

  @inline(never)
  private mutating func literal(_ value: DataValue) -> Operand {
    let range = current.range
    advance()
    return Operand(.constant(value), range)
  }

  /// Parses a keyword where a value is expected.
  mutating func parseKeyword(_ keyword: Keyword) throws(PredicateSyntaxError) -> Operand {
    let range = current.range
    switch keyword {
    case .true, .yes: return literal(.boolean(true))
    case .false, .no: return literal(.boolean(false))
    case .null, .nil: return literal(.null)
    case .self:
      // SELF isn't a step of the path: `SELF.a` and `a` are the same path.
      advance()
      guard symbol == .dot else { return Operand(.selfObject, range) }
      let steps = try parseSteps()
      guard !steps.isEmpty else { return Operand(.selfObject, range) }
      let base = FormatExpression(.selfObject, range: TextRange(range))
      return Operand(.keyPath(base: base, steps), range.lowerBound..<previousEnd)
    case .truePredicate, .falsePredicate:
      advance()
      return Operand(.constant(keyword == .truePredicate), range, height: 1)
    case .anyKey: throw PredicateSyntaxError(.unsupported(.anyKey), range)
    default:
      if keyword.isNameInValuePosition { return try parseKeyPath() }
      throw PredicateSyntaxError(.reservedWord(keyword.rawValue), range)
    }
  }

  /// Returns the expression for a CAST. It is a constant if the CAST represents a value that can't be written as a
  /// literal: an object ID, a UUID, data, a date from a number, infinity or NaN.
  func cast(
    _ value: FormatExpression, toTypeNamedBy type: FormatExpression
  ) throws(PredicateSyntaxError) -> FormatExpression.Kind {
    guard case .constant(.string(let name)) = type.kind else {
      throw PredicateSyntaxError(.expected(.typeName), type.range.range)
    }
    guard case .constant(let literal) = value.kind else {
      return .cast(value, to: try castType(name, at: type.range))
    }
    if name == Self.objectIDType {
      guard case .string(let uri) = literal, let id = ObjectID(text: uri) else {
        throw unreadable(value, type: name)
      }
      return .constant(.objectID(id))
    }
    let type = try castType(name, at: type.range)
    switch (type, literal) {
    case (.number, .string(let text)):
      // Infinity and NaN don't have literals either.
      guard let number = Double(text), !number.isFinite else { break }
      return .constant(.double(number))
    case (.date, .integer), (.date, .double), (.uuid, .string), (.data, .string):
      let converted = literal.cast(to: type)
      guard converted != .null else { throw unreadable(value, type: name) }
      return .constant(converted)
    default: break
    }
    return .cast(value, to: type)
  }

  static var objectIDType: String { "NSManagedObjectID" }

  private func castType(_ name: String, at range: TextRange) throws(PredicateSyntaxError)
    -> CastType
  {
    guard let type = CastType(rawValue: name) else {
      throw PredicateSyntaxError(.unknownCastType(name), range.range)
    }
    return type
  }

  private func unreadable(_ value: FormatExpression, type: String) -> PredicateSyntaxError {
    let text = if case .constant(.string(let text)) = value.kind { text } else { "" }
    return PredicateSyntaxError(.unreadableCast(text, type: type), value.range.range)
  }

  /// keyPath = step { "." step }
  mutating func parseKeyPath() throws(PredicateSyntaxError) -> Operand {
    let start = current.range.lowerBound
    var steps = try parseStep()
    if current.symbol == .dot { steps += try parseSteps() }
    let range = start..<previousEnd
    guard !steps.isEmpty else { return Operand(.selfObject, range) }
    return Operand(.keyPath(base: FormatExpression(.selfObject), steps), range)
  }

  /// { "." step }
  mutating func parseSteps() throws(PredicateSyntaxError) -> [KeyPathStep] {
    var steps: [KeyPathStep] = []
    while take(.dot) { steps += try parseStep() }
    return steps
  }

  /// step = name | "#" name | "@" operator | "%K"
  ///
  /// After a dot, any word is a name. SELF is ignored there. `%K` can contain several steps.
  private mutating func parseStep() throws(PredicateSyntaxError) -> [KeyPathStep] {
    let token = current
    let step: KeyPathStep.Kind
    switch token.kind {
    case .word(_, .self):
      advance()
      return []
    case .word(let name, _), .escapedWord(let name): step = .key(name)
    case .collectionOperator(let name):
      guard let found = CollectionOperator(rawValue: name) else {
        throw PredicateSyntaxError(.unknownCollectionOperator(name), token.range)
      }
      step = .collection(found)
    case .placeholder(.keyPath):
      return try takeKeyPathArgument()
    default: throw unexpected(.key)
    }
    advance()
    return [KeyPathStep(step, range: TextRange(token.range))]
  }
}
