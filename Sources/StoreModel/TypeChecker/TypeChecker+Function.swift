import StorePredicate

extension TypeChecker {
  mutating func arithmetic(
    _ operation: ArithmeticOperator, _ left: FormatExpression, _ right: FormatExpression,
    at range: TextRange
  ) -> TypedExpression {
    var left = check(left)
    var right = check(right)
    if operation == .add, left.type.family == .text || right.type.family == .text {
      return joined(left, right, at: range)
    }
    let isDate = left.type.family == .date || right.type.family == .date
    if !isDate {
      left = number(left, by: operation.rawValue)
      right = number(right, by: operation.rawValue)
    }
    let type =
      isDate
      ? dateArithmetic(operation, left, right) : result(of: operation, left.type, right.type)
    return TypedExpression(.arithmetic(operation, left, right), as: type, at: range)
  }

  /// Converts `first + ' ' + last` to the method that joins texts.
  private mutating func joined(
    _ left: TypedExpression, _ right: TypedExpression, at range: TextRange
  ) -> TypedExpression {
    var (left, right) = (left, right)
    expectPart(&left)
    expectPart(&right)
    return TypedExpression(
      .method(.appending, receiver: left, [right]), as: .attribute(.string), at: range)
  }

  /// Requires that an operand of `+` is text. The type of a variable becomes String, and a number is an error.
  private mutating func expectPart(_ side: inout TypedExpression) {
    let operation = "'+' with a text operand"
    guard side.type.family == .number else { return expectText(&side, by: operation) }
    report(
      .unexpected(side.type, expected: "text as the other operand", by: operation), at: side.range)
  }

  /// Returns the type of an operation with dates. A date plus or minus a number of seconds is a date, and the
  /// difference of two dates is a number of seconds.
  private mutating func dateArithmetic(
    _ operation: ArithmeticOperator, _ left: TypedExpression, _ right: TypedExpression
  ) -> ValueType {
    switch (left.type.family, operation, right.type.family) {
    case (.date, .subtract, .date): return .attribute(.double)
    case (.date, .add, .number), (.date, .subtract, .number), (.number, .add, .date),
      (.date, .add, .any), (.date, .subtract, .any), (.any, .add, .date):
      return .attribute(.date)
    default:
      let wrong = left.type.family == .date ? right : left
      report(
        .unexpected(
          wrong.type, expected: "a number of seconds", by: CheckError.shown(operation.rawValue)),
        at: wrong.range)
      return .any
    }
  }

  /// Returns the type of an operation with numbers. The result of two integers is an integer, so `7 / 2` is 3. The
  /// result of a Decimal and a Decimal or an integer is a Decimal. If one type is unknown, the result has the other
  /// type. Any other result, and each power, is a Double.
  private func result(
    of operation: ArithmeticOperator, _ left: ValueType, _ right: ValueType
  ) -> ValueType {
    guard operation != .power else { return .attribute(.double) }
    switch (left, right) {
    case (.attribute(let left), .attribute(let right)):
      if left.isInteger && right.isInteger { return .attribute(.integer64) }
      if left == .decimal && (right == .decimal || right.isInteger) { return .attribute(.decimal) }
      if right == .decimal && left.isInteger { return .attribute(.decimal) }
      return .attribute(.double)
    case (.any, let known), (let known, .any): return known
    default: return .attribute(.double)
    }
  }

  mutating func number(_ operand: TypedExpression, by operation: String) -> TypedExpression {
    switch operand.kind {
    case .variable where operand.type == .any:
      return convert(operand, to: .attribute(.double))
    default:
      guard operand.type.family != .number, operand.type.family != .any else { return operand }
      report(
        .unexpected(operand.type, expected: "a number", by: CheckError.shown(operation)),
        at: operand.range)
      return TypedExpression(operand.kind, as: .any, at: operand.range)
    }
  }

  mutating func call(
    _ function: FormatFunction, _ arguments: [FormatExpression], at range: TextRange
  ) -> TypedExpression {
    var typed = arguments.map { check($0) }
    guard function.arity.contains(typed.count) else {
      report(.wrongArgumentCount(function, found: typed.count), at: range)
      return .mistake(at: range)
    }
    let type = result(of: function, &typed, at: range)
    let call = TypedExpression(.function(function, typed), as: type, at: range)
    if call.isAggregateOfRows, !checker.allowsAggregates, typed[0].type != .any {
      report(.aggregateOfRows(function.rawValue, extreme: extreme(function, typed[0])), at: range)
    }
    return call
  }

  private func extreme(_ function: FormatFunction, _ argument: TypedExpression) -> CheckError
    .Extreme?
  {
    guard function == .min || function == .max else { return nil }
    return argument.writtenKeyPath.map {
      CheckError.Extreme(keyPath: $0, isLargest: function == .max)
    }
  }

  /// Converts the arguments to the types that the function requires, and returns the type of the call.
  private mutating func result(
    of function: FormatFunction, _ arguments: inout [TypedExpression], at range: TextRange
  ) -> ValueType {
    guard case .arguments(let types) = function.definition.parameters else {
      return fold(function, arguments, at: range)
    }
    for (index, type) in zip(arguments.indices, types) {
      switch type {
      case .any: break
      case .number:
        arguments[index] = number(arguments[index], by: CheckError.shown(function.rawValue))
      case .text: expectText(&arguments[index], by: CheckError.shown(function.rawValue))
      case .location: expectLocation(arguments[index], by: function)
      }
    }
    return function.definition.result.type(of: arguments.first?.type ?? .any)
  }

  /// Requires an object whose entity has the numeric attributes `latitude` and `longitude`.
  private mutating func expectLocation(_ side: TypedExpression, by function: FormatFunction) {
    let entity = side.type.entity.flatMap(model.entity(named:))
    let known = entity.map(model.attributes(of:)) ?? []
    let numbers = known.filter { $0.type.family == .number }.map(\.name)
    guard !["latitude", "longitude"].allSatisfy(numbers.contains) else { return }
    report(
      .unexpected(
        side.type, expected: "rows with numbers 'latitude' and 'longitude'",
        by: CheckError.shown(function.rawValue)),
      at: side.range)
  }

  /// Checks an aggregate such as `sum(items.price)` or `max(a, b)`, or `sum(price)` over the fetched rows. Returns its
  /// type.
  mutating func fold(
    _ function: FormatFunction, _ arguments: [TypedExpression], at range: TextRange
  ) -> ValueType {
    let member = arguments[0].type.element
    let fits =
      switch (function.definition.parameters, member.family) {
      case (_, .any), (_, .number), (.members(.numbersOrDates), .date): true
      case (.members(.numbers), _), (.members(.numbersOrDates), _): false
      case (.members(.any), _), (.arguments, _): true
      }
    if !fits {
      report(
        .unexpected(member, expected: "numbers", by: CheckError.shown(function.rawValue)),
        at: arguments[0].range)
    }
    return function.definition.result.type(of: member)
  }
}

extension FunctionDefinition.Result {
  /// - Parameter argument: The type of the first argument or of the members.
  fileprivate func type(of argument: ValueType) -> ValueType {
    switch self {
    case .double: .attribute(.double)
    case .integer: .attribute(.integer64)
    case .text: .attribute(.string)
    case .date: .attribute(.date)
    case .argument: argument
    case .sum: argument.sum
    case .average: argument.average
    case .list: .collection(of: argument)
    }
  }
}
