import SQLiteAccess
import StoreModel
import StorePredicate

extension PredicateCompiler {
  /// Returns a condition without COUNT for a comparison such as `items.@count > 0`, which depends only on whether the
  /// collection has members. COUNT would visit all of them. Returns nil for other comparisons.
  mutating func countCondition(_ comparison: TypedComparison) throws(CheckError) -> SQL? {
    guard let collection = comparison.left.countedObjects,
      case .constant(.integer(let number)) = comparison.right.kind
    else { return nil }
    let wantsSome: Bool
    switch (comparison.operator, number) {
    case (.greater, 0), (.notEqual, 0), (.greaterOrEqual, 1): wantsSome = true
    case (.equal, 0), (.lessOrEqual, 0), (.less, 1): wantsSome = false
    default: return nil
    }
    _ = try open(collection)
    return closeTest(negated: !wantsSome)
  }

  /// Returns the SQL of `items.@count` or `items.@sum.price` as a correlated sub-select, or of `@sum.price` as an
  /// aggregate of the fetched rows.
  mutating func aggregate(
    _ path: ResolvedKeyPath, of base: TypedExpression, _ expression: TypedExpression
  ) throws(CheckError) -> SQL {
    guard case .aggregate(let function, let over) = path.ending else {
      throw CheckError(.unsupportedInStore("a collection as a value"), at: expression.range)
    }
    var members = path
    members.ending = .object
    if expression.isAggregateOfRows, members.steps.isEmpty, allowsAggregates {
      return try fold(function, over, of: try row(of: base))
    }
    let member = try walk(
      members, from: base, hasMissing: over != nil, by: "'\(function.rawValue)'")
    guard let over else { return "(\(context.close(selecting: "COUNT(*)")))" }
    let result = try fold(function, over, of: member.row)
    return "(\(context.close(selecting: result)))"
  }

  /// Returns the aggregate of the values at the path `over`, which begins at `row`, or `COUNT(*)` if `over` is nil.
  private mutating func fold(
    _ function: CollectionOperator, _ over: ResolvedKeyPath?, of row: RowReference
  ) throws(CheckError) -> SQL {
    guard let over else { return "COUNT(*)" }
    let member = try walk(over, from: row, isOpen: true)
    guard let folded = Self.folding(function, try operand(member)) else {
      throw CheckError(.unsupportedInStore("'\(function.rawValue)'"))
    }
    return folded
  }

  /// Returns the SQL of `sum(items.price)`, `max(a, b)` or `max({a, b})`, or of `sum(price)` as an aggregate of the
  /// fetched rows.
  mutating func fold(
    _ function: FormatFunction, _ kind: CollectionOperator, _ arguments: [TypedExpression],
    at range: TextRange
  ) throws(CheckError) -> SQL {
    guard let first = arguments.first, arguments.count == 1 else {
      return try fold(kind, values: arguments)
    }
    if case .list(let values) = first.kind { return try fold(kind, values: values) }
    if first.type.isCollection {
      let member = try open(first)
      let value: SQL
      if kind == .count, case .object = member.type {
        value = "COUNT(*)"
      } else {
        value = Self.folding(kind, member) ?? "NULL"
      }
      return "(\(context.close(selecting: value)))"
    }
    try requireAggregates(function, of: first, at: range)
    if kind == .count, first.kind == .selfObject { return "COUNT(*)" }
    return Self.folding(kind, try operand(first)) ?? "NULL"
  }

  /// Throws an error if the fetched rows can't be aggregated here, or if the argument aggregates them, too.
  func requireAggregates(
    _ function: FormatFunction, of argument: TypedExpression, at range: TextRange
  ) throws(CheckError) {
    guard allowsAggregates else {
      throw CheckError(.aggregateOfRows(function.rawValue, extreme: nil), at: range)
    }
    try refuseAggregates(in: [argument], inside: function)
  }

  /// Throws an error if one of `parts` contains an aggregate of the fetched rows. SQLite can't compute it inside of
  /// another such aggregate (`outer`), of a list or of a sub-select.
  func refuseAggregates(
    in parts: [TypedExpression], inside outer: FormatFunction? = nil
  ) throws(CheckError) {
    guard allowsAggregates else { return }
    for part in parts {
      guard let inner = part.aggregateOfRows, let name = inner.aggregateName else { continue }
      throw CheckError(.nestedAggregate(name, inside: outer?.rawValue), at: inner.range)
    }
  }

  /// Returns the SQL of an aggregate of several values of one row, such as `max(a, b)`.
  private mutating func fold(
    _ function: CollectionOperator, values: [TypedExpression]
  ) throws(CheckError) -> SQL {
    let terms = try values.map { value throws(CheckError) in try term(value) }
    switch function {
    case .count:
      try refuseAggregates(in: values)
      return .number(Int64(terms.count))
    // With one argument, MIN and MAX would aggregate the rows. Without arguments, they are an error.
    case .min, .max:
      guard terms.count > 1 else { return terms.first ?? "NULL" }
      return "\(function == .min ? "MIN" : "MAX")(\(terms.joined(", ")))"
    case .sum: return terms.isEmpty ? .number(0) : "(\(terms.joined(" + ")))"
    case .average:
      guard !terms.isEmpty else { return "NULL" }
      return "(CAST(\(terms.joined(" + ")) AS REAL) / \(.number(Int64(terms.count))))"
    default: throw CheckError(.unsupportedInStore("'\(function.rawValue)'"))
    }
  }

  /// Returns the SQL of an aggregate function, or nil for an operator that returns a collection. Without values, the
  /// sum and the count are 0, and the other results are NULL.
  private static func folding(_ function: CollectionOperator, _ operand: Operand) -> SQL? {
    let value = operand.unmarked.sql
    return switch function {
    case .count: "COUNT(\(value))"
    case .sum: "IFNULL(\(operand.type.sumFunction)(\(value)), 0)"
    case .min: "MIN(\(value))"
    case .max: "MAX(\(value))"
    case .average: "\(operand.type == .attribute(.decimal) ? "DECIMAL_AVERAGE" : "AVG")(\(value))"
    case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      nil
    }
  }
}

extension ValueType {
  /// The SQL function for sums. SQLite's SUM fails if the sum of integers exceeds 64 bits, so it is used only for types
  /// for which this doesn't happen in practice.
  fileprivate var sumFunction: SQL {
    switch self {
    case .attribute(.integer16), .attribute(.integer32), .attribute(.boolean), .attribute(.double),
      .attribute(.float), .attribute(.date):
      "SUM"
    case .attribute(.decimal): "DECIMAL_SUM"
    case .any, .attribute, .object, .entity, .collection: "NUMBER_SUM"
    }
  }
}
