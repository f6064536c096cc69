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

  /// The steps that `%K` stands for; its text is split at the dots.
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
  /// The constant for a placeholder, converted as printf would; nil when it does not fit.
  fileprivate func expression(for placeholder: Placeholder, range: TextRange) -> FormatExpression? {
    guard placeholder != .object else { return expression(range: range) }
    guard case .value(let value) = self else { return nil }
    let converted: Value? =
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
