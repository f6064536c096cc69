/// A node of a predicate's tree, which is displayed with its kind, its text and its parts.
///
///     comparison ANY ==[c]     ANY tags.name ==[c] $TAG
///       keyPath                tags.name
///       variable               $TAG
package struct PredicateOutline: Hashable, Sendable {
  /// The kinds of nodes. Their names can't change, because the output of `predicate parse` contains them.
  package enum Kind: String, Hashable, Sendable {
    case and, or, not, comparison
    /// `TRUEPREDICATE`, `FALSEPREDICATE`
    case condition
    case null, boolean, integer, double, string, date, uuid, binary, objectID
    case `self`, variable, keyPath, list, arithmetic, negated, function, method, cast, ternary
    case subquery, set, element
  }

  package var kind: Kind
  /// The operator, function or name that distinguishes the node from other nodes of its kind: `ANY ==[c]`,
  /// `uppercase:`.
  package var detail: String?
  /// The text of the node with its parts, in canonical form.
  package var text: String
  /// The parts in the order of the text.
  package var parts: [PredicateOutline]

  package init(_ predicate: FormatPredicate) {
    let text = predicate.format
    switch predicate {
    case .constant: self = Self(.condition, text)
    case .comparison(let comparison):
      self = Self(
        .comparison, text, detail: comparison.spelledOperator,
        parts: [Self(comparison.left), Self(comparison.right)])
    case .and(let members): self = Self(.and, text, parts: members.map { Self($0) })
    case .or(let members): self = Self(.or, text, parts: members.map { Self($0) })
    case .not(let negated): self = Self(.not, text, parts: [Self(negated)])
    }
  }

  package init(_ expression: FormatExpression) {
    let text = expression.format
    func node(_ kind: Kind, _ detail: String? = nil, _ parts: FormatExpression...) -> Self {
      Self(kind, text, detail: detail, parts: parts.map { Self($0) })
    }
    switch expression.kind {
    case .constant(let value): self = node(value.outlineKind)
    case .selfObject: self = node(.`self`)
    case .variable: self = node(.variable)
    // SELF isn't displayed as the base of a path.
    case .keyPath(let base, _) where base.kind == .selfObject: self = node(.keyPath)
    case .keyPath(let base, let steps):
      self = node(.keyPath, steps.map(\.spelling).joined(separator: "."), base)
    case .list(let members): self = Self(.list, text, parts: members.map { Self($0) })
    case .arithmetic(let sign, let left, let right):
      self = node(.arithmetic, sign.rawValue, left, right)
    case .set(let word, let left, let right): self = node(.set, word.rawValue, left, right)
    case .negated(let operand): self = node(.negated, nil, operand)
    case .function(let function, let arguments):
      self = Self(.function, text, detail: function.rawValue, parts: arguments.map { Self($0) })
    case .method(let receiver, let selector, let arguments):
      self = Self(
        .method, text, detail: selector, parts: ([receiver] + arguments).map { Self($0) })
    case .cast(let value, let type): self = node(.cast, type.rawValue, value)
    case .ternary(let condition, let whenTrue, let whenFalse):
      self = Self(
        .ternary, text, parts: [Self(condition), Self(whenTrue), Self(whenFalse)])
    case .subquery(let collection, let variable, let condition):
      self = Self(
        .subquery, text, detail: "$" + variable, parts: [Self(collection), Self(condition)])
    case .element(let collection, .at(let position)):
      self = node(.element, nil, collection, position)
    case .element(let collection, .first): self = node(.element, "FIRST", collection)
    case .element(let collection, .last): self = node(.element, "LAST", collection)
    case .element(let collection, .size): self = node(.element, "SIZE", collection)
    }
  }

  private init(
    _ kind: Kind, _ text: String, detail: String? = nil, parts: [PredicateOutline] = []
  ) {
    self.kind = kind
    self.detail = detail
    self.text = text
    self.parts = parts
  }

  /// This node and all nodes below it, each with its depth, in the order of the text.
  package var lines: [(depth: Int, node: PredicateOutline)] {
    [(0, self)] + parts.flatMap { part in part.lines.map { ($0.depth + 1, $0.node) } }
  }
}

extension FormatComparison {
  /// The modifier, the operator and its options, such as `ANY ==[cd]`.
  fileprivate var spelledOperator: String {
    let letters = ComparisonTable.optionLetters.filter { options.contains($0.option) }
      .map { String($0.letter) }.joined()
    return (modifier == .direct ? "" : "\(modifier.rawValue) ") + `operator`.rawValue
      + (letters.isEmpty ? "" : "[\(letters)]")
  }
}

extension DataValue {
  fileprivate var outlineKind: PredicateOutline.Kind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer: .integer
    case .double: .double
    case .string: .string
    case .date: .date
    case .uuid: .uuid
    case .binary: .binary
    case .objectID: .objectID
    }
  }
}
