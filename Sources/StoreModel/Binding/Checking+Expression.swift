import StorePredicate

extension Checking {
  mutating func check(_ expression: Expression) -> Typed {
    var checked = expression
    let type: ValueType
    var path: ResolvedKeyPath?
    switch expression.kind {
    case .constant(let value): type = value.type
    case .selfObject: type = .object(checker.entity)
    case .variable(let name): type = variable(name, at: expression.range)
    case .keyPath(let base, let keys):
      path = resolve(keys, from: base, &checked)
      type = path?.type ?? .any
      if path != nil { note(expression, as: type) }
    case .list(let members): type = list(members, &checked)
    case .arithmetic(let operation, let left, let right):
      type = arithmetic(operation, left, right, &checked)
    case .negated(let operand):
      let typed = number(check(operand), by: "-")
      checked.kind = .negated(typed.expression)
      type = typed.type
    case .function(let function, let arguments): type = call(function, arguments, &checked)
    case .method(let receiver, let selector, let arguments):
      checked.kind = .method(
        receiver: check(receiver).expression, selector: selector,
        arguments: arguments.map { check($0).expression })
      type = .any
    case .cast(let operand, let target):
      checked.kind = .cast(castable(operand, to: target).expression, to: target)
      type = target.type
    case .ternary(let condition, let first, let second):
      var first = check(first)
      var second = check(second)
      unify(&first, &second)
      checked.kind = .ternary(check(condition), first.expression, second.expression)
      type = first.type == .any ? second.type : first.type
    case .subquery(let collection, let variable, let predicate):
      type = subquery(collection, variable, predicate, &checked)
    case .set(let operation, let left, let right):
      let (left, right) = (check(left), check(right))
      checked.kind = .set(operation, left.expression, right.expression)
      type = left.type
    case .element(let collection, let index):
      let typed = check(collection)
      checked.kind = .element(typed.expression, check(index))
      type = index == .size ? .attribute(.integer64) : typed.type.element
    }
    return Typed(expression: checked, type: type, path: path)
  }

  /// A date is cast from its seconds; a written one needs no cast, and read as a number it would be
  /// a moment in 2001.
  private mutating func castable(_ operand: Expression, to target: CastType) -> Typed {
    let typed = check(operand)
    if target == .date, case .constant(.string(let text)) = operand.kind, Double(text) == nil {
      report(
        .unexpected(typed.type, expected: "seconds since 2001", by: "CAST to NSDate"),
        at: operand.range)
    }
    return typed
  }

  private mutating func check(_ index: Index) -> Index {
    guard case .at(let position) = index else { return index }
    return .at(check(position).expression)
  }

  private mutating func variable(_ name: String, at range: TextRange) -> ValueType {
    if let entity = rows[name] { return .object(entity) }
    if let known = checker.variables[name] { return known }
    note(name, as: .any, at: range)
    return variables.first { $0.name == name }?.type ?? .any
  }

  /// The entity of the row that a key path starts from; nil when it is not known yet.
  func row(of base: Expression) -> String? {
    switch base.kind {
    case .selfObject: checker.entity
    case .variable(let name):
      if case .object(let entity)? = rows[name].map(ValueType.object) ?? checker.variables[name] {
        entity
      } else {
        nil
      }
    case .constant(.objectID(let id)): id.entity
    default: nil
    }
  }

  /// Nil when it does not resolve, which is reported, or can't before its variable has a value.
  private mutating func resolve(
    _ keys: [KeyPathStep], from base: Expression, _ checked: inout Expression
  ) -> ResolvedKeyPath? {
    let start: String?
    if let row = row(of: base) {
      start = row
    } else {
      let typed = check(base)
      checked.kind = .keyPath(base: typed.expression, keys)
      start = typed.type.isCollection ? typed.type.element.entity : nil
    }
    guard let start else { return nil }
    do throws(CheckError) {
      var path = try KeyPathResolver(model: model).resolve(keys, from: start)
      // `SUBQUERY(…).name` has many values, as its collection has.
      path.isOverCollection = row(of: base) == nil
      return path
    } catch {
      errors.append(error)
      return nil
    }
  }

  private mutating func list(_ members: [Expression], _ checked: inout Expression) -> ValueType {
    let typed = members.map { check($0) }
    checked.kind = .list(typed.map(\.expression))
    return .collection(of: typed.first { $0.type != .any }?.type ?? .any)
  }

  private mutating func subquery(
    _ collection: Expression, _ variable: String, _ predicate: Predicate,
    _ checked: inout Expression
  ) -> ValueType {
    let members = check(collection)
    guard case .collection(of: .object(let entity)) = members.type else {
      if members.type != .any {
        report(.needsCollection(members.type, operator: "SUBQUERY"), at: collection.range)
      }
      return .any
    }
    let outer = rows.updateValue(entity, forKey: variable)
    let condition = check(predicate)
    rows[variable] = outer
    checked.kind = .subquery(collection: members.expression, variable: variable, condition)
    return members.type
  }
}

extension Value {
  /// The type that a constant has by itself.
  var type: ValueType {
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
  var type: ValueType {
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
