/// A condition, as the NSPredicate format language writes it.
public indirect enum FormatPredicate: Hashable, Sendable {
  /// `TRUEPREDICATE`, `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(Comparison)
  /// Two members or more; `a AND b AND c` is one flat node.
  case and([FormatPredicate])
  case or([FormatPredicate])
  case not(FormatPredicate)
}

/// `ANY items.price >[cd] 5`: a modifier, two expressions, an operator and its options.
public struct Comparison: Hashable, Sendable {
  /// How many members of a to-many left side must satisfy the comparison.
  public enum Modifier: String, Hashable, Sendable {
    case direct = ""
    /// Also written SOME. `NONE x` is read as `NOT ANY x`.
    case any = "ANY"
    case all = "ALL"
  }

  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case `in` = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
  }

  /// `[cdnl]` behind an operator.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let caseInsensitive = Options(rawValue: 1)
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// The text is normalised already: compare bytes. Supersedes the other two.
    public static let normalized = Options(rawValue: 4)
    public static let localeSensitive = Options(rawValue: 8)
  }

  public var modifier: Modifier
  public var left: FormatExpression
  public var `operator`: Operator
  public var options: Options
  public var right: FormatExpression
  /// The operator's place, options included.
  public var operatorRange: TextRange

  public init(
    _ left: FormatExpression, _ operator: Operator, _ right: FormatExpression,
    modifier: Modifier = .direct,
    options: Options = [], operatorRange: TextRange = .none
  ) {
    self.modifier = modifier
    self.left = left
    self.operator = `operator`
    self.options = options
    self.right = right
    self.operatorRange = operatorRange
  }

  /// From the first byte of the left side to the last of the right.
  public var range: TextRange {
    TextRange(left.range.lowerBound..<max(left.range.lowerBound, right.range.upperBound))
  }
}
