extension Parser {
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
  /// Behind a dot any word is a name; SELF there adds nothing. `%K` may bring several steps.
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
