/// Why text is not a predicate or no expression, and where. The prose is in `diagnostic(in:)`.
public struct PredicateSyntaxError: Error, Hashable, Sendable {
  // Indirect: errors are rare, and every frame of the parser has room for several.
  public indirect enum Kind: Hashable, Sendable {
    /// Something else had to stand here; the text ends here when the range is empty.
    case expected(Expectation)
    /// Nothing but white space.
    case emptyText
    /// `age` alone: an expression where a condition must stand.
    case bareExpression
    /// `(a == 1)` where a value must stand.
    case conditionAsValue
    case reservedWord(String)
    case strayCharacter(Character)
    case missingName(after: Character)
    case unterminatedString
    case malformedNumber
    case numberOutOfRange
    case loneSurrogate
    /// `a < b < c`
    case chainedComparison
    /// `x NOT IN y`, `x NOT LIKE y`
    case notBeforeOperator(String)
    /// `(1, 2)` where a list is meant.
    case listInParentheses
    case unknownOption(Character)
    case unknownFunction(String)
    case argumentCount(function: String, expected: ClosedRange<Int>, found: Int)
    case unknownCollectionOperator(String)
    case unknownCastType(String)
    case unreadableCast(String, type: String)
    case invalidKeyPath(String)
    case nestedTooDeeply(limit: Int)
    /// Part of Apple's language that has no meaning over a store.
    case unsupported(Unsupported)
    case unknownPlaceholder
    /// A placeholder in text that was given no arguments at all.
    case placeholderWithoutArguments
    case missingArgument(index: Int)
    case surplusArguments(used: Int, given: Int)
    case argumentMismatch(index: Int, Placeholder)
  }

  /// What the parser was looking for.
  public enum Expectation: Hashable, Sendable {
    case value
    case comparisonOperator
    /// AND, OR or the end of the text.
    case connective
    /// The end of an expression that stands alone.
    case endOfExpression
    case closing(String)
    case comma
    /// The name behind a dot.
    case key
    /// The second argument of SUBQUERY.
    case variable
    /// The second argument of FUNCTION.
    case selector
    /// The second argument of CAST.
    case typeName
    case options
    /// The name behind AS.
    case alias
  }

  public enum Unsupported: String, Hashable, Sendable {
    case anyKey = "ANYKEY"
    case fetch = "FETCH"
    case utiConformsTo = "UTI-CONFORMS-TO"
    case utiEquals = "UTI-EQUALS"
    case assignment = ":="
    case customSelector = "selector:"
  }

  public var kind: Kind
  public var range: TextRange

  init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    self.range = TextRange(range)
  }
}
