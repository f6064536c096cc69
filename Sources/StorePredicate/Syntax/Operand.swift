/// What a grammar rule has read. An open parenthesis may begin a condition or a value, so the rules
/// pass on either, and the one that needs to know decides: no text is read twice.
struct Operand {
  enum Content {
    case condition(FormatPredicate)
    case expression(FormatExpression)
  }

  var content: Content
  var range: Range<Int>
  /// Levels of tree, bounded so that code which walks a tree may recurse.
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
    if case .expression = content { return true }
    return false
  }
}
