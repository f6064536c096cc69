import StorePredicate

extension Checking {
  mutating func check(_ expression: Expression) -> Typed {
    var checked = expression
    let type: ValueType
    var unordered: String?
    switch expression.kind {
    case .constant(let value): type = value.type
    case .selfObject: type = .object(checker.entity)
    case .variable(let name): type = variable(name, at: expression.range)
    case .keyPath(let base, let keys) where isFetchedProperty(base):
      type = describe(keys, &checked)
    case .keyPath(let base, let keys):
      return keyPath(keys, from: base, checked)
    case .list(let members): type = list(members, &checked)
    case .arithmetic(let operation, let left, let right):
      type = arithmetic(operation, left, right, &checked)
    case .negated(let operand):
      let typed = number(check(operand), by: "-")
      checked.kind = .negated(typed.expression)
      type = typed.type
    case .function(let function, let arguments): type = call(function, arguments, &checked)
    case .method(let receiver, let selector, let arguments):
      type = call(selector, of: receiver, arguments, &checked)
    case .cast(let operand, let target):
      checked.kind = .cast(castable(operand, to: target).expression, to: target)
      type = target.type
    case .ternary(let condition, let first, let second):
      var first = check(first)
      var second = check(second)
      unify(&first, &second)
      checked.kind = .ternary(check(condition), first.expression, second.expression)
      type = first.type == .any ? second.type : first.type
      unordered = "TERNARY"
    case .subquery(let collection, let variable, let predicate):
      return subquery(collection, variable, predicate, checked)
    case .set(let operation, let left, let right):
      unordered = operation.rawValue
      type = set(operation, left, right, &checked)
    case .element(let collection, let index):
      if let path = Self.keyPath(byKey: expression) { return check(path) }
      type = element(collection, index, &checked)
    }
    return Typed(expression: checked, type: type, unordered: unordered)
  }

  /// A date is cast from its seconds; a written one needs no cast, and read as a number it would be
  /// a moment in 2001.
  private mutating func castable(_ operand: Expression, to target: CastType) -> Typed {
    let typed = check(operand)
    switch typed.type {
    case .object, .entity, .collection:
      report(
        .unexpected(typed.type, expected: "one value", by: "CAST"), at: operand.range)
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

  private mutating func list(_ members: [Expression], _ checked: inout Expression) -> ValueType {
    let typed = members.map { check($0) }
    checked.kind = .list(typed.map(\.expression))
    return .collection(of: typed.first { $0.type != .any }?.type ?? .any)
  }

  private mutating func subquery(
    _ collection: Expression, _ variable: String, _ predicate: Predicate, _ expression: Expression
  ) -> Typed {
    let members = check(collection)
    guard case .collection(of: let member) = members.type else {
      if members.type == .attribute(.transformable) {
        reportOpaque(members)
      } else if members.type != .any {
        report(.needsCollection(members.type, operator: "SUBQUERY"), at: collection.range)
      }
      return Typed(expression: expression, type: .any)
    }
    let outer = elements.updateValue(member, forKey: variable)
    let around = narrowing
    narrowing = narrowing.hiding(variable)
    let condition = check(predicate)
    narrowing = around
    elements[variable] = outer
    var checked = expression
    checked.kind = .subquery(collection: members.expression, variable: variable, condition)
    return Typed(expression: checked, type: members.type, unordered: members.unordered)
  }
}

extension Value {
  /// The type that a constant has by itself.
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
