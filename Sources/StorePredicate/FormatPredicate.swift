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

extension FormatPredicate {
  /// Reads the format language.
  ///
  ///     try FormatPredicate(parsing: "name BEGINSWITH[cd] $TEXT AND items.@count > 2")
  ///
  /// - Throws: the first mistake, with its place; `diagnostic(in:)` explains it.
  public init(parsing text: String) throws(PredicateSyntaxError) {
    var parser = Parser(text)
    self = try parser.parsePredicate()
  }

  /// Reads text with `%@`, `%K`, `%d` …; the arguments take their places from left to right, and are
  /// never read as text of the language.
  public init(parsing text: String, arguments: [FormatArgument]) throws(PredicateSyntaxError) {
    var parser = Parser(text, arguments: arguments)
    self = try parser.parsePredicate()
  }
}

extension FormatExpression {
  /// Reads one expression: `price * amount`, `list.title`, `sum(price)`.
  public init(parsing text: String) throws(PredicateSyntaxError) {
    var parser = Parser(text)
    self = try parser.parseExpressionText()
  }

  public init(parsing text: String, arguments: [FormatArgument]) throws(PredicateSyntaxError) {
    var parser = Parser(text, arguments: arguments)
    self = try parser.parseExpressionText()
  }
}

// One walk over both trees serves substitution, looking for variables, and the compiler's own passes.

extension FormatPredicate {
  /// A copy in which expressions are replaced.
  ///
  /// `replacement` sees every expression before its parts. What it returns stands as it is; nil goes
  /// on into the parts.
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
  /// A copy in which expressions are replaced, this one first; as `FormatPredicate.rewriting`.
  public func rewriting<Failure: Error>(
    _ replacement: (FormatExpression) throws(Failure) -> FormatExpression?
  ) throws(Failure) -> FormatExpression {
    if let replaced = try replacement(self) { return replaced }
    return FormatExpression(try rewritingParts(replacement), range: range)
  }

  /// A copy whose parts all have `range` as their place, for use in another text.
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
  /// The names of the variables that need a value, in order of first appearance, without those that
  /// a SUBQUERY binds.
  public var variables: [String] { firstUses.map(\.name) }

  /// Where each of `variables` appears first.
  public var firstUses: [VariableUse] {
    var search = VariableSearch()
    search.look(in: self, bound: [])
    return search.found
  }

  /// A copy with values, lists or other expressions in the place of variables.
  ///
  /// A variable without a binding stays; `variables` of the result names it. Inside a SUBQUERY its own
  /// variable hides a binding of the same name.
  public func substituting(_ bindings: [String: FormatExpression]) -> FormatPredicate {
    rewriting { $0.replacement(under: bindings) }
  }
}

extension FormatExpression {
  public var variables: [String] {
    var search = VariableSearch()
    search.look(in: self, bound: [])
    return search.found.map(\.name)
  }

  public func substituting(_ bindings: [String: FormatExpression]) -> FormatExpression {
    rewriting { $0.replacement(under: bindings) }
  }

  /// The bound expression for a variable, at the variable's place; a SUBQUERY with what its own
  /// variable leaves to replace; nil for everything else.
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

/// A variable and its place.
public struct VariableUse: Hashable, Sendable {
  public var name: String
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

  /// Notes a variable. Never replaces: what it returns has been looked at already.
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
