import StoreModel
import StorePredicate

extension KeyedArchiveWriter {
  mutating func expression(_ expression: FormatExpression) -> Reference {
    switch expression.kind {
    // Nil is archived with a null class name instead of a null value.
    case .constant(.null):
      node(.constantExpression, .constant, [(ArchivedKey.constantClassName, .null)])
    case .constant(let value): constantExpression(constant(value))
    case .selfObject: node(.selfExpression, .selfObject)
    case .variable(let name):
      node(.variableExpression, .variable, [(ArchivedKey.variable, string(name))])
    case .keyPath(let base, let steps): keyPath(base, steps)
    case .list(let members):
      node(
        .listExpression, .aggregate,
        [(ArchivedKey.collection, collection(members.map { self.expression($0) }))])
    case .arithmetic(let symbol, let left, let right):
      function(.arithmetic(symbol), [self.expression(left), self.expression(right)])
    case .negated(let operand):
      // The predicate language has no function for negation, so `-x` is archived as `0 - x`.
      function(
        .arithmetic(.subtract),
        [self.expression(.value(.integer(0))), self.expression(operand)])
    case .function(let function, let arguments):
      self.function(.function(function), arguments.map { self.expression($0) })
    case .method(let receiver, let selector, let arguments):
      call(self.expression(receiver), selector, arguments.map { self.expression($0) })
    case .cast(let operand, let type):
      function(
        .cast, [self.expression(operand), self.expression(.value(.string(type.rawValue)))])
    case .ternary(let condition, let yes, let no): ternary(condition, yes, no)
    case .subquery(let collection, let variable, let condition):
      subquery(collection, variable, condition)
    case .set(let symbol, let left, let right): set(symbol, left, right)
    case .element(let collection, let index): element(of: collection, at: index)
    }
  }

  mutating func constantExpression(_ value: Reference) -> Reference {
    node(.constantExpression, .constant, [(ArchivedKey.constant, value)])
  }

  private mutating func node(
    _ class: ClassChain, _ type: ArchivedExpressionType,
    _ values: [(key: String, value: Reference)] = []
  ) -> Reference {
    let code = Field.integer(ArchivedCode.expressionTypes.code(of: type))
    return object(
      `class`,
      [(ArchivedKey.expressionType, code)] + values.map { ($0.key, .object($0.value)) })
  }

  /// Writes a key path as a call to `valueForKey:` if it is a single key of the row, otherwise as a call to
  /// `valueForKeyPath:`. A path of several steps that ends with `@count` is written as the function `count:`.
  private mutating func keyPath(_ base: FormatExpression, _ steps: [KeyPathStep]) -> Reference {
    // The predicate parser turns such a path into this function.
    if steps.count > 1, steps.last?.kind == .collection(.count) {
      return function(.function(.count), [keyPath(base, steps.dropLast())])
    }
    let isOwn = base.kind == .selfObject
    let path = steps.map(\.text).joined(separator: ".")
    let specifier = node(
      .keyPathSpecifier, .keyPathSpecifier, [(ArchivedKey.keyPath, string(path))])
    let selector = isOwn && steps.count == 1 ? "valueForKey:" : "valueForKeyPath:"
    return node(
      .keyPathExpression, isOwn ? .keyPath : .function,
      [
        (ArchivedKey.operand, expression(base)), (ArchivedKey.selector, string(selector)),
        (ArchivedKey.arguments, collection([specifier], as: .mutableArray)),
      ])
  }

  /// Writes a built-in function as a call to a method of `_NSPredicateUtilities`.
  private mutating func function(_ function: BuiltIn, _ arguments: [Reference]) -> Reference {
    let utilities = string("_NSPredicateUtilities")
    let operand = node(.constantExpression, .constant, [(ArchivedKey.constantClassName, utilities)])
    return call(operand, function.selector, arguments)
  }

  private mutating func call(
    _ operand: Reference, _ selector: String, _ arguments: [Reference]
  ) -> Reference {
    node(
      .functionExpression, .function,
      [
        (ArchivedKey.operand, operand), (ArchivedKey.selector, string(selector)),
        (ArchivedKey.arguments, collection(arguments)),
      ])
  }

  private mutating func ternary(
    _ condition: FormatPredicate, _ yes: FormatExpression, _ no: FormatExpression
  ) -> Reference {
    node(
      .ternaryExpression, .ternary,
      [
        (ArchivedKey.predicate, predicate(condition)), (ArchivedKey.whenTrue, expression(yes)),
        (ArchivedKey.whenFalse, expression(no)),
      ])
  }

  private mutating func subquery(
    _ collection: FormatExpression, _ variable: String, _ condition: FormatPredicate
  ) -> Reference {
    node(
      .subqueryExpression, .subquery,
      [
        (ArchivedKey.collection, expression(collection)),
        (ArchivedKey.variable, expression(FormatExpression(.variable(variable)))),
        (ArchivedKey.predicate, predicate(condition)),
      ])
  }

  private mutating func set(
    _ symbol: SetOperator, _ left: FormatExpression, _ right: FormatExpression
  ) -> Reference {
    let type: ArchivedExpressionType =
      switch symbol {
      case .union: .union
      case .intersect: .intersection
      case .minus: .difference
      }
    return node(
      .setExpression, type,
      [(ArchivedKey.left, expression(left)), (ArchivedKey.right, expression(right))])
  }

  private mutating func element(of collection: FormatExpression, at index: FormatIndex) -> Reference
  {
    let position =
      switch index {
      case .first: symbol("FIRST")
      case .last: symbol("LAST")
      case .size: symbol("SIZE")
      case .at(let position): expression(position)
      }
    return function(.element, [expression(collection), position])
  }

  private mutating func symbol(_ name: String) -> Reference {
    object(
      .symbolicExpression,
      [
        (ArchivedKey.expressionType, .integer(ArchivedCode.symbolicExpression)),
        (ArchivedKey.symbol, .object(string(name))),
      ])
  }
}
