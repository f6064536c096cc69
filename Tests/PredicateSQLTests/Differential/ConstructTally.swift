import StorePredicate

/// Counts each construct of the language in predicates.
struct ConstructTally {
  private(set) var counts: [String: Int] = [:]

  mutating func add(_ other: ConstructTally) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// Counts the constructs of a predicate and of its text.
  mutating func add(_ predicate: FormatPredicate, text: String) {
    look(at: predicate, inside: 0)
    for word in text.split(separator: " ") where Self.spellings.contains(String(word)) {
      note("spelt \(word)")
    }
    for placeholder in Self.placeholders where text.contains(placeholder) { note(placeholder) }
  }

  func rarest(_ count: Int) -> String {
    let rarest = counts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(count)
    return rarest.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  /// Every construct that can be counted, except constructs that every store refuses.
  static let all: [String] =
    FormatComparison.Operator.allCases.map { "operator \($0.rawValue)" }
    + ArithmeticOperator.allCases.map { "arithmetic \($0.rawValue)" }
    + FormatFunction.allCases.map { "function \($0.rawValue)" }
    + CollectionOperator.allCases.map { $0.rawValue }
    + CastType.allCases.map { "CAST \($0.rawValue)" }
    + SetOperator.allCases.map { $0.rawValue } + spellings.map { "spelt \($0)" }
    + placeholders
    + [
      "AND", "OR", "NOT", "ANY", "ALL", "TRUEPREDICATE", "[c]", "[d]", "[cd]", "[n]", "[l]", "nil",
      "list", "negation", "method", "TERNARY", "SUBQUERY", "SUBQUERY in SUBQUERY",
      "SELF in SUBQUERY", "[FIRST]", "[LAST]", "[SIZE]", "[n]", "objectID", "entity",
      "path from an object", "path of 2", "path of 3", "path of SUBQUERY",
    ]

  private static let spellings = ["=", "<>", "=<", "=>", "&&", "||", "!", "SOME", "NONE"]

  private static let placeholders = ["%@", "%K", "%ld"]

  private mutating func note(_ construct: String) { counts[construct, default: 0] += 1 }

  private mutating func look(at predicate: FormatPredicate, inside depth: Int) {
    switch predicate {
    case .constant: note("TRUEPREDICATE")
    case .comparison(let comparison): look(at: comparison, inside: depth)
    case .not(let negated):
      note("NOT")
      look(at: negated, inside: depth)
    case .and(let members):
      note("AND")
      for member in members { look(at: member, inside: depth) }
    case .or(let members):
      note("OR")
      for member in members { look(at: member, inside: depth) }
    }
  }

  private mutating func look(at comparison: FormatComparison, inside depth: Int) {
    note("operator \(comparison.operator.rawValue)")
    if comparison.modifier != .direct { note(comparison.modifier.rawValue) }
    let options = comparison.options
    for (option, name) in [(FormatComparison.Options.normalized, "[n]"), (.localeSensitive, "[l]")]
    where options.contains(option) { note(name) }
    let folding = options.intersection([.caseInsensitive, .diacriticInsensitive])
    if !folding.isEmpty {
      note(folding == .caseInsensitive ? "[c]" : folding == .diacriticInsensitive ? "[d]" : "[cd]")
    }
    look(at: comparison.left, inside: depth)
    look(at: comparison.right, inside: depth)
  }

  /// - Parameter depth: the number of enclosing SUBQUERYs.
  private mutating func look(at expression: FormatExpression, inside depth: Int) {
    _ = expression.rewriting { part -> FormatExpression? in
      note(part, inside: depth)
      switch part.kind {
      case .ternary(let condition, let first, let second):
        look(at: condition, inside: depth)
        look(at: first, inside: depth)
        look(at: second, inside: depth)
        return part
      case .subquery(let collection, _, let condition):
        look(at: collection, inside: depth)
        look(at: condition, inside: depth + 1)
        return part
      default: return nil
      }
    }
  }

  private mutating func note(_ expression: FormatExpression, inside depth: Int) {
    switch expression.kind {
    case .constant(.null): note("nil")
    case .constant(.objectID): note("objectID")
    case .constant, .variable: break
    case .selfObject: if depth > 0 { note("SELF in SUBQUERY") }
    case .keyPath(let base, let steps): note(steps, of: base)
    case .list: note("list")
    case .arithmetic(let operation, _, _): note("arithmetic \(operation.rawValue)")
    case .negated: note("negation")
    case .function(let function, _): note("function \(function.rawValue)")
    case .method: note("method")
    case .cast(_, let type): note("CAST \(type.rawValue)")
    case .ternary: note("TERNARY")
    case .subquery: note(depth > 0 ? "SUBQUERY in SUBQUERY" : "SUBQUERY")
    case .set(let operation, _, _): note(operation.rawValue)
    case .element(_, .first): note("[FIRST]")
    case .element(_, .last): note("[LAST]")
    case .element(_, .size): note("[SIZE]")
    case .element(_, .at): note("[n]")
    }
  }

  private mutating func note(_ steps: [KeyPathStep], of base: FormatExpression) {
    if case .constant = base.kind { note("path from an object") }
    if case .subquery = base.kind { note("path of SUBQUERY") }
    note("path of \(steps.count)")
    for step in steps {
      switch step.kind {
      case .collection(let function): note(function.rawValue)
      case .key("entity"): note("entity")
      case .key: break
      }
    }
  }
}
