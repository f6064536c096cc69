/// A condition of the NSPredicate format language.
public indirect enum FormatPredicate: Hashable, Sendable {
  /// `TRUEPREDICATE`, `FALSEPREDICATE`.
  case constant(Bool)
  /// A comparison of two expressions.
  case comparison(FormatComparison)
  /// A conjunction of two or more conditions. `a AND b AND c` is one flat node.
  case and([FormatPredicate])
  /// A disjunction of two or more conditions.
  case or([FormatPredicate])
  /// A negated condition.
  case not(FormatPredicate)
}

/// `ANY items.price >[cd] 5`: a modifier, two expressions, an operator and its options.
public struct FormatComparison: Hashable, Sendable {
  /// The number of members of a to-many left side that must satisfy the comparison.
  public enum Modifier: String, Hashable, Sendable {
    /// The value of the left side is compared, not its members.
    case direct = ""
    /// One or more members. Also written SOME. `NONE x` is parsed as `NOT ANY x`.
    case any = "ANY"
    /// All members.
    case all = "ALL"
  }

  /// The comparison operators.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    /// Equal. Also written `=`.
    case equal = "=="
    /// Not equal. Also written `<>`.
    case notEqual = "!="
    /// Less than.
    case less = "<"
    /// Less than or equal. Also written `=<`.
    case lessOrEqual = "<="
    /// Greater than.
    case greater = ">"
    /// Greater than or equal. Also written `=>`.
    case greaterOrEqual = ">="
    /// Within two bounds, which are included: `x BETWEEN {1, 5}`.
    case between = "BETWEEN"
    /// A member of the collection on the right side, or a substring of the text there.
    case `in` = "IN"
    /// A collection with this member, or text with this substring.
    case contains = "CONTAINS"
    /// Text with this prefix.
    case beginsWith = "BEGINSWITH"
    /// Text with this suffix.
    case endsWith = "ENDSWITH"
    /// Text that matches a pattern with the wildcards `*` and `?`.
    case like = "LIKE"
    /// Text that matches a regular expression as a whole.
    case matches = "MATCHES"
  }

  /// The letters `[cdnl]` after an operator.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `c`: case is ignored.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `d`: diacritics are ignored.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `n`: the text is already normalized, so bytes are compared. Overrides `c` and `d`.
    public static let normalized = Options(rawValue: 4)
    /// `l`: locale-sensitive in Foundation, without effect here.
    public static let localeSensitive = Options(rawValue: 8)
  }

  /// The modifier.
  public var modifier: Modifier
  /// The left side.
  public var left: FormatExpression
  /// The operator.
  public var `operator`: Operator
  /// The options of the operator.
  public var options: Options
  /// The right side.
  public var right: FormatExpression
  /// The location of the operator and its options.
  public var operatorRange: TextRange

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - left: the left side.
  ///   - operator: the operator.
  ///   - right: the right side.
  ///   - modifier: the number of members that must satisfy the comparison.
  ///   - options: the options of the operator.
  ///   - operatorRange: the location of the operator and its options, if the comparison was parsed.
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

  /// The location from the beginning of the left side to the end of the right side.
  public var range: TextRange {
    TextRange(left.range.lowerBound..<max(left.range.lowerBound, right.range.upperBound))
  }
}

extension FormatPredicate {
  /// Creates a predicate from text in the format language.
  ///
  ///     try FormatPredicate(parsing: "name BEGINSWITH[cd] $TEXT AND items.@count > 2")
  ///
  /// - Parameter text: the text of the predicate.
  /// - Throws: `PredicateSyntaxError` for the first error. The error's `diagnostic(in:)` returns a message.
  public init(parsing text: String) throws(PredicateSyntaxError) {
    var parser = Parser(text)
    self = try parser.parsePredicate()
  }

  /// Creates a predicate from text with placeholders such as `%@`, `%K` and `%d`.
  ///
  /// The arguments replace the placeholders from left to right. They aren't parsed, except the argument of `%K`, which
  /// is split at dots.
  ///
  /// - Parameters:
  ///   - text: the text of the predicate.
  ///   - arguments: an argument for each placeholder.
  /// - Throws: `PredicateSyntaxError` for the first error, or if the arguments don't fit the placeholders.
  public init(parsing text: String, arguments: [FormatArgument]) throws(PredicateSyntaxError) {
    var parser = Parser(text, arguments: arguments)
    self = try parser.parsePredicate()
  }
}

extension FormatExpression {
  /// Creates an expression from text: `price * amount`, `list.title`, `sum(price)`.
  ///
  /// - Parameter text: the text of the expression.
  /// - Throws: `PredicateSyntaxError` for the first error. The error's `diagnostic(in:)` returns a message.
  public init(parsing text: String) throws(PredicateSyntaxError) {
    var parser = Parser(text)
    self = try parser.parseExpressionText()
  }

  /// Creates an expression from text with placeholders such as `%@`, `%K` and `%d`.
  ///
  /// The arguments replace the placeholders from left to right. They aren't parsed, except the argument of `%K`, which
  /// is split at dots.
  ///
  /// - Parameters:
  ///   - text: the text of the expression.
  ///   - arguments: an argument for each placeholder.
  /// - Throws: `PredicateSyntaxError` for the first error, or if the arguments don't fit the placeholders.
  public init(parsing text: String, arguments: [FormatArgument]) throws(PredicateSyntaxError) {
    var parser = Parser(text, arguments: arguments)
    self = try parser.parseExpressionText()
  }
}

// The substitution of variables, the search for variables and the passes of the SQL compiler use `rewriting`.

extension FormatPredicate {
  /// Returns a copy in which expressions are replaced.
  ///
  /// `replacement` is called for each expression before its parts. If it returns an expression, this expression
  /// replaces the original, and its parts aren't visited. If it returns nil, the parts of the original are visited.
  ///
  /// - Parameter replacement: returns the new expression, or nil to visit the parts.
  /// - Returns: the copy.
  /// - Throws: the error that `replacement` throws.
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
  /// Returns a copy in which this expression or its parts are replaced.
  ///
  /// `replacement` is called for each expression before its parts. If it returns an expression, this expression
  /// replaces the original, and its parts aren't visited. If it returns nil, the parts of the original are visited.
  ///
  /// - Parameter replacement: returns the new expression, or nil to visit the parts.
  /// - Returns: the copy.
  /// - Throws: the error that `replacement` throws.
  public func rewriting<Failure: Error>(
    _ replacement: (FormatExpression) throws(Failure) -> FormatExpression?
  ) throws(Failure) -> FormatExpression {
    if let replaced = try replacement(self) { return replaced }
    return FormatExpression(try rewritingParts(replacement), range: range)
  }

  /// Returns a copy in which the expression and all its parts have the location `range`. It is used if the expression
  /// replaces a part of another text.
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
  /// The names of variables that require a value, in order of first use, without the variables of SUBQUERYs.
  public var variables: [String] { firstUses.map(\.name) }

  /// The first use of each variable that requires a value, in the order of the text.
  public var firstUses: [VariableUse] {
    var search = VariableSearch()
    search.look(in: self, bound: [])
    return search.found
  }

  /// Returns a copy in which variables are replaced by values, lists or other expressions.
  ///
  /// Variables without a binding remain. In a SUBQUERY, its own variable shadows a binding of the same name.
  ///
  /// - Parameter bindings: the expressions by variable name.
  /// - Returns: the copy.
  public func substituting(_ bindings: [String: FormatExpression]) -> FormatPredicate {
    rewriting { $0.replacement(under: bindings) }
  }
}

extension FormatExpression {
  /// The names of variables that require a value, in order of first use, without the variables of SUBQUERYs.
  public var variables: [String] {
    var search = VariableSearch()
    search.look(in: self, bound: [])
    return search.found.map(\.name)
  }

  /// Returns a copy in which variables are replaced by values, lists or other expressions.
  ///
  /// Variables without a binding remain. In a SUBQUERY, its own variable shadows a binding of the same name.
  ///
  /// - Parameter bindings: the expressions by variable name.
  /// - Returns: the copy.
  public func substituting(_ bindings: [String: FormatExpression]) -> FormatExpression {
    rewriting { $0.replacement(under: bindings) }
  }

  /// Returns the replacement of this expression, or nil for an expression without one.
  ///
  /// The replacement of a variable is its binding, at the variable's location. If a binding has the name of a
  /// SUBQUERY's own variable, the replacement of the SUBQUERY is a copy whose condition doesn't use this binding.
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

  /// Adds the expression to `found` if it is a variable that no enclosing SUBQUERY binds. Returns the expression if its
  /// parts must not be visited, otherwise nil.
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
