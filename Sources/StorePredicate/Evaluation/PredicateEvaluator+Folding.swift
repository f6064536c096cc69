// Operators and functions that reduce many values to one.

extension PredicateEvaluator {
  /// Returns the value of a collection operator and the steps after it, such as `@sum.price` in `items.@sum.price`.
  ///
  /// - Parameters:
  ///   - collection: the value of the path before the operator.
  ///   - path: the steps after the operator.
  func fold(
    _ function: CollectionOperator, _ collection: EvaluatedValue,
    over path: ArraySlice<KeyPathStep>,
    at range: TextRange
  ) throws(EvaluationError) -> EvaluatedValue {
    // In Foundation, a message to nil returns nil. In SQL, a missing collection is empty.
    if collection.isNull, nulls == .memory { return .null }
    var members = try members(of: collection, at: range)
    switch function {
    case .distinctUnionOfArrays, .unionOfArrays, .distinctUnionOfSets:
      members = members.flatMap { $0.members ?? [$0] }
    case .count, .sum, .min, .max, .average, .distinctUnionOfObjects, .unionOfObjects: break
    }
    if function == .count { return .value(.integer(Int64(members.count))) }
    // In `@distinctUnionOfObjects.price.@count`, `@count` applies to the result of the union, not to its parts.
    let end = function.makesCollection ? path.firstIndex { $0.function != nil } : path.endIndex
    let behind = path[(end ?? path.endIndex)...]
    let found = try follow(path[..<(end ?? path.endIndex)], from: .list(members))
    let values = found.members ?? [found]
    switch function {
    case .count: return .value(.integer(Int64(values.count)))
    case .sum: return .value(try sum(values, at: range).value)
    case .average: return .value(try average(values, at: range))
    case .min: return try extreme(values, at: range) { $0 < 0 }
    case .max: return try extreme(values, at: range) { $0 > 0 }
    case .unionOfObjects, .unionOfArrays:
      return try follow(behind, from: .list(values.filter { !$0.isNull }))
    case .distinctUnionOfObjects, .distinctUnionOfArrays, .distinctUnionOfSets:
      let distinct = values.filter { !$0.isNull }.distinct(asStored: asStored)
      return try follow(behind, from: .set(distinct))
    }
  }

  /// Returns the sum of the values that aren't null. The sum of no values is 0.
  func sum(_ values: [EvaluatedValue], at range: TextRange) throws(EvaluationError) -> Number {
    var sum = NumberSum()
    for value in values {
      if let number = try number(value, at: range) { sum.add(number) }
    }
    return sum.value
  }

  /// Returns the average of the values. In SQL, NULL is ignored, and the average of no values is NULL. In Foundation,
  /// nil counts as 0, and the average of no values is 0.
  func average(
    _ values: [EvaluatedValue], at range: TextRange
  ) throws(EvaluationError) -> DataValue {
    let count = nulls == .sql ? values.filter { !$0.isNull }.count : values.count
    guard count > 0 else { return nulls == .sql ? .null : .integer(0) }
    return Number.real(try sum(values, at: range).real / Double(count)).value
  }

  /// Returns the least or greatest of the values that aren't null, or null if all of them are null.
  func extreme(
    _ values: [EvaluatedValue], at range: TextRange, _ isBetter: (Int) -> Bool
  ) throws(EvaluationError) -> EvaluatedValue {
    let folding = TextFolding([])
    var best = DataValue.null
    for value in values where !value.isNull {
      guard case .value(let plain) = value, best == .null || asStored || plain.kind == best.kind
      else { throw EvaluationError(.incomparable(value.noun, "a value"), at: range) }
      if best == .null || plain.order(best, folding: folding).map(isBetter) == true { best = plain }
    }
    return .value(best)
  }
}

/// A sum of numbers. Integers are added exactly, so their order doesn't matter. The sum is an integer, unless it
/// contains real numbers or doesn't fit in 64 bits.
package struct NumberSum: Sendable {
  private var integers: Int64 = 0
  /// The number of times that `integers` exceeded the maximum, minus the number of times that it fell below the
  /// minimum.
  private var wraps: Int64 = 0
  private var reals = 0.0
  private var hasReals = false

  package init() {}

  package mutating func add(_ number: Number) {
    switch number {
    case .integer(let integer):
      let (sum, overflow) = integers.addingReportingOverflow(integer)
      integers = sum
      if overflow { wraps += integer < 0 ? -1 : 1 }
    case .real(let real):
      reals += real
      hasReals = true
    }
  }

  package var value: Number {
    guard hasReals || wraps != 0 else { return .integer(integers) }
    return .real(Double(integers) + Double(wraps) * 0x1p64 + reals)
  }
}
