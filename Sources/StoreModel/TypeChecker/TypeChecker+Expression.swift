import StorePredicate

extension TypeChecker {
  mutating func check(_ expression: FormatExpression) -> TypedExpression {
    let range = expression.range
    switch expression.kind {
    case .constant(let value):
      return TypedExpression(.constant(value), as: value.type, at: range)
    case .selfObject:
      return TypedExpression(.selfObject, as: .object(checker.entity), at: range)
    case .variable(let name):
      return TypedExpression(.variable(name), as: variable(name, at: range), at: range)
    case .keyPath(let base, let keys) where isFetchedProperty(base):
      return describe(keys, at: range)
    case .keyPath(let base, let keys): return keyPath(keys, from: base, at: range)
    case .list(let members):
      let typed = members.map { check($0) }
      return TypedExpression(.list(typed), as: typed.listType, at: range)
    case .arithmetic(let operation, let left, let right):
      return arithmetic(operation, left, right, at: range)
    case .negated(let operand):
      let operand = number(check(operand), by: "-")
      return TypedExpression(.negated(operand), as: operand.type, at: range)
    case .function(let function, let arguments): return call(function, arguments, at: range)
    case .method(let receiver, let selector, let arguments):
      return call(selector, of: receiver, arguments, at: range)
    case .cast(let operand, let target):
      return TypedExpression(
        .cast(castable(operand, to: target), to: target), as: target.type, at: range)
    case .ternary(let condition, let first, let second):
      return choice(condition, first, second, at: range)
    case .subquery(let collection, let variable, let condition):
      return subquery(collection, variable, condition, at: range)
    case .set(let operation, let left, let right): return set(operation, left, right, at: range)
    case .element(let collection, let index):
      if let path = Self.keyPath(byKey: expression) { return check(path) }
      return element(collection, index, at: range)
    }
  }

  /// Checks the operand of CAST. If a constant text is cast to a date, it must be a number of seconds since 2001.
  private mutating func castable(_ operand: FormatExpression, to target: CastType)
    -> TypedExpression
  {
    let typed = check(operand)
    switch typed.type {
    case .object, .entity, .collection:
      report(
        .unexpected(typed.type, expected: "a single value", by: "CAST"), at: operand.range)
    case .any, .attribute: break
    }
    if target == .date, case .constant(.string(let text)) = operand.kind, Double(text) == nil {
      report(
        .unexpected(typed.type, expected: "seconds since 2001", by: "CAST to NSDate"),
        at: operand.range)
    }
    return typed
  }

  private mutating func variable(_ name: String, at range: TextRange) -> ValueType {
    if let known = elements[name] { return known }
    if let known = checker.variables[name] { return known }
    if checker.source != nil, name == FetchSource.propertyVariable {
      report(.propertyAsValue, at: range)
      return .any
    }
    note(name, as: .any, at: range)
    return variables.first { $0.name == name }?.type ?? .any
  }

  private mutating func choice(
    _ condition: FormatPredicate, _ first: FormatExpression, _ second: FormatExpression,
    at range: TextRange
  ) -> TypedExpression {
    var first = check(first)
    var second = check(second)
    unify(&first, &second)
    return TypedExpression(
      .ternary(check(condition), first, second),
      as: first.type == .any ? second.type : first.type, at: range, unordered: "TERNARY")
  }

  private mutating func subquery(
    _ collection: FormatExpression, _ variable: String, _ condition: FormatPredicate,
    at range: TextRange
  ) -> TypedExpression {
    let members = check(collection)
    guard members.type.isCollection || members.type == .any else {
      reportInside(members, by: "SUBQUERY")
      return .mistake(at: range)
    }
    let outer = elements.updateValue(members.type.element, forKey: variable)
    let around = narrowing
    narrowing = narrowing.hiding(variable)
    let condition = check(condition)
    narrowing = around
    elements[variable] = outer
    return TypedExpression(
      .subquery(collection: members, variable: variable, condition), as: members.type, at: range,
      unordered: members.unordered)
  }
}

extension [TypedExpression] {
  /// The type of a list with these members, which is determined by the first member with a type.
  var listType: ValueType { .collection(of: first { $0.type != .any }?.type ?? .any) }
}

extension DataValue {
  /// The type of the constant, without regard to its context.
  package var type: ValueType {
    switch self {
    case .null: .any
    case .boolean: .attribute(.boolean)
    case .integer: .attribute(.integer64)
    case .double: .attribute(.double)
    case .string: .attribute(.string)
    case .date: .attribute(.date)
    case .uuid: .attribute(.uuid)
    case .binary: .attribute(.binary)
    case .objectID(let id): .object(id.entity)
    }
  }
}

extension CastType {
  package var type: ValueType {
    switch self {
    case .date: .attribute(.date)
    case .number: .attribute(.double)
    case .string: .attribute(.string)
    case .decimal: .attribute(.decimal)
    case .uuid: .attribute(.uuid)
    case .data: .attribute(.binary)
    case .url: .attribute(.uri)
    }
  }
}
