/// A condition in the format language of NSPredicate.
public indirect enum FormatPredicate: Hashable, Sendable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  /// A comparison of two expressions.
  case comparison(Comparison)
  /// Conditions that must all be true. There are at least two, and `a AND b AND c` is one node with three members.
  case and([FormatPredicate])
  /// Conditions of which at least one must be true. There are at least two.
  case or([FormatPredicate])
  /// A negated condition.
  case not(FormatPredicate)
}

/// A comparison, such as `ANY items.price >[cd] 5`: a modifier, two expressions, an operator and its options.
public struct Comparison: Hashable, Sendable {
  /// The number of members of a to-many left side that must satisfy the comparison.
  public enum Modifier: String, Hashable, Sendable {
    /// The left side is compared directly.
    case direct = ""
    /// At least one member. SOME is a synonym, and `NONE x` is read as `NOT ANY x`.
    case any = "ANY"
    /// All members.
    case all = "ALL"
  }

  /// An operator that compares two values.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    /// `==`, also written `=`.
    case equal = "=="
    /// `!=`, also written `<>`.
    case notEqual = "!="
    /// `<`.
    case less = "<"
    /// `<=`, also written `=<`.
    case lessOrEqual = "<="
    /// `>`.
    case greater = ">"
    /// `>=`, also written `=>`.
    case greaterOrEqual = ">="
    /// `BETWEEN {lower, upper}`, which includes both bounds.
    case between = "BETWEEN"
    /// `IN`, for members of a collection and for substrings.
    case `in` = "IN"
    /// `CONTAINS`, for members of a collection and for substrings.
    case contains = "CONTAINS"
    /// `BEGINSWITH`.
    case beginsWith = "BEGINSWITH"
    /// `ENDSWITH`.
    case endsWith = "ENDSWITH"
    /// `LIKE`, with the wildcards `*` and `?`.
    case like = "LIKE"
    /// `MATCHES`, with a regular expression for the whole text.
    case matches = "MATCHES"
  }

  /// The options `[cdnl]` after an operator.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bits of the options.
    public let rawValue: UInt8
    /// Creates options from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `c`: ignore case.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `d`: ignore diacritics.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `n`: the text is already normalized, so compare bytes. This option overrides the other ones.
    public static let normalized = Options(rawValue: 4)
    /// `l`: compare according to the locale.
    public static let localeSensitive = Options(rawValue: 8)
  }

  /// The number of members that must satisfy the comparison.
  public var modifier: Modifier
  /// The left side.
  public var left: FormatExpression
  /// The operator.
  public var `operator`: Operator
  /// The options after the operator.
  public var options: Options
  /// The right side.
  public var right: FormatExpression
  /// The location of the operator and its options.
  public var operatorRange: TextRange

  /// Creates a comparison. Comparisons that code creates have no location.
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

  /// The location from the start of the left side to the end of the right side.
  public var range: TextRange {
    TextRange(left.range.lowerBound..<max(left.range.lowerBound, right.range.upperBound))
  }
}

extension FormatPredicate {
  /// Parses text in the format language.
  ///
  ///     try FormatPredicate(parsing: "name BEGINSWITH[cd] $TEXT AND items.@count > 2")
  ///
  /// - Throws: the first error in the text with its location. `diagnostic(in:)` explains it.
  public init(parsing text: String) throws(PredicateSyntaxError) {
    var parser = Parser(text)
    self = try parser.parsePredicate()
  }

  /// Parses text with placeholders such as `%@`, `%K` and `%d`. Arguments replace them from left to right, and are
  /// never parsed as text of the language.
  ///
  /// - Throws: the first error in the text, or the first argument that doesn't fit its placeholder.
  public init(parsing text: String, arguments: [FormatArgument]) throws(PredicateSyntaxError) {
    var parser = Parser(text, arguments: arguments)
    self = try parser.parsePredicate()
  }
}

extension FormatExpression {
  /// Parses an expression, such as `price * amount`, `list.title` or `sum(price)`.
  ///
  /// - Throws: the first error in the text with its location.
  public init(parsing text: String) throws(PredicateSyntaxError) {
    var parser = Parser(text)
    self = try parser.parseExpressionText()
  }

  /// Parses an expression with placeholders such as `%@`, which arguments replace from left to right.
  ///
  /// - Throws: the first error in the text, or the first argument that doesn't fit its placeholder.
  public init(parsing text: String, arguments: [FormatArgument]) throws(PredicateSyntaxError) {
    var parser = Parser(text, arguments: arguments)
    self = try parser.parseExpressionText()
  }
}

// Substitution, the search for variables, and the passes of the compiler use one traversal of both trees.

extension FormatPredicate {
  /// Returns a copy with replaced expressions.
  ///
  /// - Parameter replacement: is called for each expression before its parts. It returns the replacement, whose parts
  ///   aren't visited, or nil to visit the parts.
  public func rewriting<Failure: Error>(
    _ replacement: (FormatExpression) throws(Failure) -> FormatExpression?
  ) throws(Failure) -> FormatPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = try comparison.left.rewriting(replacement)
      comparison.right = try comparison.right.rewriting(replacement)
      return .comparison(comparison)
    case .and(let members):
      return .and(try members.map { member throws(Failure) in try member.rewriting(replacement) })
    case .or(let members):
      return .or(try members.map { member throws(Failure) in try member.rewriting(replacement) })
    case .not(let negated): return .not(try negated.rewriting(replacement))
    }
  }
}

extension FormatExpression {
  /// Returns a copy with replaced expressions, beginning with this one.
  ///
  /// - Parameter replacement: is called for each expression before its parts. It returns the replacement, whose parts
  ///   aren't visited, or nil to visit the parts.
  public func rewriting<Failure: Error>(
    _ replacement: (FormatExpression) throws(Failure) -> FormatExpression?
  ) throws(Failure) -> FormatExpression {
    if let replaced = try replacement(self) { return replaced }
    return FormatExpression(try rewritingParts(replacement), range: range)
  }

  /// Returns a copy in which all parts have the location `range`, for use in another text.
  package func placed(at range: TextRange) -> FormatExpression {
    var isWhole = true
    var copy = rewriting { part in
      guard isWhole else { return part.placed(at: range) }
      isWhole = false
      return nil
    }
    copy.range = range
    return copy
  }

  private func rewritingParts<Failure: Error>(
    _ replacement: (FormatExpression) throws(Failure) -> FormatExpression?
  ) throws(Failure) -> Kind {
    func rewrite(_ part: FormatExpression) throws(Failure) -> FormatExpression {
      try part.rewriting(replacement)
    }
    switch kind {
    case .constant, .selfObject, .variable: return kind
    case .keyPath(let base, let steps): return .keyPath(base: try rewrite(base), steps)
    case .list(let members): return .list(try members.map(rewrite))
    case .arithmetic(let symbol, let left, let right):
      return .arithmetic(symbol, try rewrite(left), try rewrite(right))
    case .set(let word, let left, let right):
      return .set(word, try rewrite(left), try rewrite(right))
    case .negated(let operand): return .negated(try rewrite(operand))
    case .function(let function, let arguments):
      return .function(function, try arguments.map(rewrite))
    case .method(let receiver, let selector, let arguments):
      return .method(
        receiver: try rewrite(receiver), selector: selector, arguments: try arguments.map(rewrite))
    case .cast(let value, let type): return .cast(try rewrite(value), to: type)
    case .ternary(let condition, let whenTrue, let whenFalse):
      return .ternary(
        try condition.rewriting(replacement), try rewrite(whenTrue), try rewrite(whenFalse))
    case .subquery(let collection, let variable, let condition):
      return .subquery(
        collection: try rewrite(collection), variable: variable,
        try condition.rewriting(replacement))
    case .element(let collection, .at(let position)):
      return .element(try rewrite(collection), .at(try rewrite(position)))
    case .element(let collection, let index): return .element(try rewrite(collection), index)
    }
  }
}

extension FormatPredicate {
  /// The names of the variables that require a value, in order of first use. Variables that a SUBQUERY binds aren't
  /// included.
  public var variables: [String] { firstUses.map(\.name) }

  /// The first use of each of `variables`.
  public var firstUses: [VariableUse] {
    var search = VariableSearch()
    search.look(in: self, bound: [])
    return search.found
  }

  /// Returns a copy with values, lists or other expressions instead of variables.
  ///
  /// A variable without a binding remains, and is one of the result's `variables`. In a SUBQUERY, its own variable
  /// hides a binding with the same name.
  public func substituting(_ bindings: [String: FormatExpression]) -> FormatPredicate {
    rewriting { $0.replacement(under: bindings) }
  }
}

extension FormatExpression {
  /// The names of the variables that require a value, in order of first use. Variables that a SUBQUERY binds aren't
  /// included.
  public var variables: [String] {
    var search = VariableSearch()
    search.look(in: self, bound: [])
    return search.found.map(\.name)
  }

  /// Returns a copy with values, lists or other expressions instead of variables. A variable without a binding remains.
  public func substituting(_ bindings: [String: FormatExpression]) -> FormatExpression {
    rewriting { $0.replacement(under: bindings) }
  }

  /// Returns the bound expression with the location of the variable. For a SUBQUERY, the bindings of its own variable
  /// don't apply. Nil for other expressions.
  fileprivate func replacement(under bindings: [String: FormatExpression]) -> FormatExpression? {
    switch kind {
    case .variable(let name):
      return bindings[name].map { FormatExpression($0.kind, range: range) }
    case .subquery(let collection, let variable, let condition) where bindings[variable] != nil:
      var inner = bindings
      inner[variable] = nil
      let kind = Kind.subquery(
        collection: collection.substituting(bindings), variable: variable,
        condition.substituting(inner))
      return FormatExpression(kind, range: range)
    default: return nil
    }
  }
}

/// A variable and its location.
public struct VariableUse: Hashable, Sendable {
  /// The name without `$`.
  public var name: String
  /// The location in the text.
  public var range: TextRange
}

private struct VariableSearch {
  var found: [VariableUse] = []

  mutating func look(in predicate: FormatPredicate, bound: Set<String>) {
    _ = predicate.rewriting { visit($0, bound) }
  }

  mutating func look(in expression: FormatExpression, bound: Set<String>) {
    _ = expression.rewriting { visit($0, bound) }
  }

  /// Records a variable. It returns the expression itself if its parts are already visited, and never replaces one.
  private mutating func visit(_ expression: FormatExpression, _ bound: Set<String>)
    -> FormatExpression?
  {
    switch expression.kind {
    case .variable(let name):
      if !bound.contains(name), !found.contains(where: { $0.name == name }) {
        found.append(VariableUse(name: name, range: expression.range))
      }
      return expression
    case .subquery(let collection, let variable, let condition):
      look(in: collection, bound: bound)
      look(in: condition, bound: bound.union([variable]))
      return expression
    default: return nil
    }
  }
}
