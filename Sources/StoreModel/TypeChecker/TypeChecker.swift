import StorePredicate

/// One run of `PredicateChecker`. It creates the typed tree, and collects errors and the types of variables.
struct TypeChecker {
  let checker: PredicateChecker
  var errors: [CheckError] = []
  /// The variables whose type wasn't specified in advance, in the order of their first occurrence.
  var variables: [TypedVariable] = []
  /// The types of the variables of the enclosing SUBQUERYs, by the variable's name.
  var elements: [String: ValueType] = [:]
  /// The entities to which the enclosing conjunctions limit rows.
  var narrowing = EntityNarrowing()

  /// Whether a number is accepted as text, as in an SQLite comparison. It is false if the expression is a value for an
  /// attribute or a variable.
  var comparesDigits = true

  var model: DataModel { checker.model }

  mutating func report(_ kind: CheckError.Kind, at range: TextRange) {
    errors.append(CheckError(kind, at: range))
  }

  /// - Throws: All reported errors, in the order of the text.
  func finish(in text: PredicateText?) throws(CheckErrors) {
    guard !errors.isEmpty else { return }
    throw CheckErrors(errors.sorted { $0.range.lowerBound < $1.range.lowerBound }, in: text)
  }

  mutating func check(_ predicate: FormatPredicate) -> TypedPredicate {
    switch predicate {
    case .constant(let isTrue): .constant(isTrue)
    case .comparison(let comparison): .comparison(check(comparison))
    case .and(let members): .and(check(conjunction: members))
    case .or(let members): .or(members.map { check($0) })
    case .not(let negated): .not(check(negated))
    }
  }

  private mutating func check(conjunction members: [FormatPredicate]) -> [TypedPredicate] {
    let outer = narrowing
    narrowing = narrowing.narrowed(by: members)
    defer { narrowing = outer }
    return members.map { check($0) }
  }

  /// Records the type that a variable is compared with. The first type that isn't `any` becomes the variable's type,
  /// and later types must be comparable with it.
  mutating func note(_ name: String, as type: ValueType, at range: TextRange) {
    guard let index = variables.firstIndex(where: { $0.name == name }) else {
      variables.append(TypedVariable(name: name, type: type))
      return
    }
    let known = variables[index].type
    if known == .any {
      variables[index].type = type
    } else if type != .any, !areComparable(known, type) {
      report(.mismatch(known, type), at: range)
    }
  }

  /// Returns whether values of the two types can be equal.
  func areComparable(_ left: ValueType, _ right: ValueType) -> Bool {
    switch (left, right) {
    case (.any, _), (_, .any): return true
    case (.collection(let left), .collection(let right)): return areComparable(left, right)
    case (.object(let left), .object(let right)):
      guard let left = model.entity(named: left), let right = model.entity(named: right) else {
        return false
      }
      return model.isKind(left, of: right) || model.isKind(right, of: left)
    default:
      return left.family == right.family || left.family == .any || right.family == .any
    }
  }

  /// Returns whether an expression is `$FETCHED_PROPERTY` in the request of a fetched property.
  func isFetchedProperty(_ expression: FormatExpression) -> Bool {
    checker.source != nil && elements[FetchSource.propertyVariable] == nil
      && expression.kind == .variable(FetchSource.propertyVariable)
  }

  /// Replaces `$FETCHED_PROPERTY.name` or `$FETCHED_PROPERTY.userInfo.KEY` by a constant, because its value is the same
  /// for all rows.
  mutating func describe(_ keys: [KeyPathStep], at range: TextRange) -> TypedExpression {
    guard let source = checker.source else { return .mistake(at: range) }
    let path = keys.map(\.text).joined(separator: ".")
    var known = Dictionary(
      source.userInfo.map { ("userInfo.\($0.key)", $0.value) }
    ) { first, _ in first }
    known["name"] = source.property
    guard let text = known[path] else {
      report(
        .unknownDescription(path, property: source.property, known: known.keys.sorted()),
        at: range)
      return .mistake(at: range)
    }
    return TypedExpression(.constant(.string(text)), as: .attribute(.string), at: range)
  }

  /// Checks `FUNCTION(receiver, 'selector:', …)`, which calls methods of Foundation's types.
  mutating func call(
    _ selector: String, of receiver: FormatExpression, _ arguments: [FormatExpression],
    at range: TextRange
  ) -> TypedExpression {
    if let replacement = Self.replacing(selector, of: receiver, arguments, at: range) {
      return check(replacement)
    }
    guard let method = TextMethod(rawValue: selector) else {
      report(
        .unknownMethod(
          selector,
          known: TextMethod.allCases.map(\.rawValue) + ["count", "valueForKey:", "objectForKey:"]),
        at: range)
      return .mistake(at: range)
    }
    var target = check(receiver)
    expectText(&target, by: CheckError.shown(selector))
    var typed = arguments.map { check($0) }
    if typed.count != (method.argument == nil ? 0 : 1) {
      report(.wrongMethodArguments(selector, found: typed.count), at: range)
    } else if method.argument == .text {
      expectText(&typed[0], by: CheckError.shown(selector))
    } else if method.argument == .number {
      typed[0] = number(typed[0], by: selector)
    }
    return TypedExpression(.method(method, receiver: target, typed), as: method.type, at: range)
  }

  /// Returns the expression to which a call of `count`, `valueForKey:` or `objectForKey:` is equivalent, or nil for
  /// other methods.
  private static func replacing(
    _ selector: String, of receiver: FormatExpression, _ arguments: [FormatExpression],
    at range: TextRange
  ) -> FormatExpression? {
    switch (selector, arguments.first?.kind) {
    case ("count", nil): FormatExpression(.element(receiver, .size), range: range)
    case ("valueForKey:", .constant(.string)?), ("objectForKey:", .constant(.string)?):
      FormatExpression(.element(receiver, .at(arguments[0])), range: range)
    default: nil
    }
  }
}

extension TextMethod {
  fileprivate var type: ValueType {
    switch self {
    case .uppercase, .lowercase, .description, .appending, .substringFrom, .substringTo:
      .attribute(.string)
    case .length, .integerValue, .intValue: .attribute(.integer64)
    case .doubleValue: .attribute(.double)
    case .hasPrefix, .hasSuffix: .attribute(.boolean)
    }
  }
}

// Operations on collections: UNION and similar operators, and access to members by position.

extension TypeChecker {
  /// Checks `a UNION b`, whose collections must have members of comparable types.
  mutating func set(
    _ operation: SetOperator, _ left: FormatExpression, _ right: FormatExpression,
    at range: TextRange
  ) -> TypedExpression {
    var left = collection(check(left), by: operation.rawValue)
    var right = collection(check(right), by: operation.rawValue)
    if left.type.isCollection, right.type.isCollection { unify(&left, &right) }
    let member = left.type.element == .any ? right.type.element : left.type.element
    return TypedExpression(
      .set(operation, left, right), as: .collection(of: member), at: range,
      unordered: operation.rawValue)
  }

  private mutating func collection(
    _ side: TypedExpression, by operation: String
  ) -> TypedExpression {
    guard !side.type.isCollection, side.type != .any else { return side }
    report(.needsCollection(side.type, operator: operation), at: side.range)
    return side
  }

  /// Checks `a[0]`, `a[FIRST]`, `a[LAST]` and `a[SIZE]`.
  mutating func element(
    _ collection: FormatExpression, _ index: FormatIndex, at range: TextRange
  ) -> TypedExpression {
    let whole = check(collection)
    if !whole.type.isCollection { reportInside(whole, by: "[…]") }
    let place: TypedIndex
    switch index {
    case .size:
      return TypedExpression(.element(whole, .size), as: .attribute(.integer64), at: range)
    case .first: place = .first
    case .last: place = .last
    case .at(let number): place = .at(self.number(check(number), by: "[…]"))
    }
    guard whole.type.isCollection else {
      return TypedExpression(.element(whole, place), as: .any, at: range)
    }
    if let name = whole.unordered { report(.unordered(name), at: whole.range) }
    return TypedExpression(.element(whole, place), as: whole.type.element, at: range)
  }

  /// Converts `a['key']` to the key path `a.key`, which is equivalent for objects. Returns nil for another index.
  static func keyPath(byKey expression: FormatExpression) -> FormatExpression? {
    guard case .element(let owner, .at(let place)) = expression.kind,
      case .constant(.string(let key)) = place.kind
    else { return nil }
    let step = KeyPathStep(.key(key), range: place.range)
    let path = keyPath(byKey: owner) ?? owner
    guard case .keyPath(let base, let keys) = path.kind else {
      return FormatExpression(.keyPath(base: path, [step]), range: expression.range)
    }
    return FormatExpression(.keyPath(base: base, keys + [step]), range: expression.range)
  }

  mutating func reportInside(_ side: TypedExpression, by operation: String) {
    switch side.type {
    case .attribute(.transformable): reportOpaque(side)
    case .any: break
    default:
      report(.needsCollection(side.type, operator: operation), at: side.range)
    }
  }

  /// Reports a condition on a transformable value, which is only a sequence of bytes in the store.
  mutating func reportOpaque(_ side: TypedExpression) {
    var name = "this value"
    if case .attribute(let attribute, _)? = side.path?.ending { name = "'\(attribute.name)'" }
    report(.insideTransformable(name), at: side.range)
  }
}
