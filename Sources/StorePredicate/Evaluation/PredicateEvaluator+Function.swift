#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension PredicateEvaluator {
  mutating func call(
    _ function: FormatFunction, _ arguments: [FormatExpression], at range: TextRange
  ) throws(EvaluationError) -> EvaluatedValue {
    let values = try values(arguments)
    func number(_ index: Int) throws(EvaluationError) -> Number? {
      try self.number(values[index], at: arguments[index].range)
    }
    switch function.definition.computation {
    case .fold(let fold): return try self.fold(fold, values, arguments, at: range)
    case .generated(let value): return .value(.double(value()))
    case .now: return .value(.date(now))
    // A call that was created in code can have too few arguments.
    case _ where values.count < function.arity.lowerBound || values.contains(where: \.isNull):
      return .null
    case .real(let compute):
      return .value(try number(0).map { Number.real(compute($0.real)).value } ?? .null)
    case .number(let compute): return .value(try number(0).map { compute($0).value } ?? .null)
    case .numbers(let compute):
      guard let first = try number(0), let second = try number(1) else { return .null }
      return .value(compute(first, second)?.value ?? .null)
    case .text(let change):
      return .value(.string(change(try text(values[0], at: arguments[0].range))))
    case .argument: return values[0]
    case .length: return .value(.integer(try length(values[0], at: arguments[0].range)))
    case .distance:
      let start = try Location(values[0], at: arguments[0].range)
      return .value(.double(start.distance(to: try Location(values[1], at: arguments[1].range))))
    }
  }

  func text(_ value: EvaluatedValue, at range: TextRange) throws(EvaluationError) -> String {
    guard case .value(.string(let text)) = value else {
      throw EvaluationError(.expectedText(found: value.noun), at: range)
    }
    return text
  }

  private func length(
    _ value: EvaluatedValue, at range: TextRange
  ) throws(EvaluationError) -> Int64 {
    if case .value(.binary(let bytes)) = value { return Int64(bytes.count) }
    let text = try text(value, at: range)
    // SQLite counts Unicode scalars. Foundation counts UTF-16 units.
    return Int64(asStored ? text.unicodeScalars.count : text.utf16.count)
  }

  /// Evaluates `sum(items.price)`, `max(a, b)` or `max({a, b})`.
  private func fold(
    _ fold: FunctionDefinition.Fold, _ arguments: [EvaluatedValue], _ written: [FormatExpression],
    at range: TextRange
  ) throws(EvaluationError) -> EvaluatedValue {
    var values = arguments
    var isListed = true
    if let only = written.first, written.count == 1 {
      if values[0].isNull, nulls == .memory { return .null }
      if case .list = only.kind {} else { isListed = values[0].members == nil && !values[0].isNull }
      values = values[0].isNull ? [] : values[0].members ?? values
    }
    // In SQL, listed values are operands of `+` or arguments of a scalar function, so the result is NULL if one of them
    // is NULL.
    let isChain = isListed && nulls == .sql
    switch fold {
    case .count:
      let isCounted: (EvaluatedValue) -> Bool = { isListed || !$0.isNull }
      return .value(
        .integer(Int64(nulls == .memory ? values.count : values.filter(isCounted).count)))
    // Statistics ignore missing values, whether they are listed or members of a collection.
    case .statistic(let compute): return compute(try statistics(values, at: range))
    case _ where isChain && values.contains(where: \.isNull): return .null
    case .least: return try extreme(values, at: range) { $0 < 0 }
    case .greatest: return try extreme(values, at: range) { $0 > 0 }
    case .sum where isChain: return .value(try chain(values, at: range).value)
    case .sum: return .value(try sum(values, at: range).value)
    case .average where isChain && !values.isEmpty:
      let sum = try chain(values, at: range).real
      return .value(Number.real(sum / Double(values.count)).value)
    case .average: return .value(try average(values, at: range))
    }
  }

  /// Adds listed values one by one with `+`. If an intermediate result is real, all later results are real.
  private func chain(
    _ values: [EvaluatedValue], at range: TextRange
  ) throws(EvaluationError) -> Number {
    var sum = Number.integer(0)
    for value in values {
      guard let number = try number(value, at: range) else { continue }
      sum = Number.compute(.add, sum, number) ?? sum
    }
    return sum
  }

  private func statistics(
    _ values: [EvaluatedValue], at range: TextRange
  ) throws(EvaluationError) -> Statistics {
    var numbers: [Number] = []
    for value in values {
      if let number = try number(value, at: range), !number.real.isNaN { numbers.append(number) }
    }
    return Statistics(numbers)
  }
}

/// A location on Earth, which `distanceToLocation:fromLocation:` uses.
package struct Location {
  private let latitude: Double
  private let longitude: Double

  /// Creates a location from the keys `latitude` and `longitude`, in degrees.
  init(_ value: EvaluatedValue, at range: TextRange) throws(EvaluationError) {
    func degrees(_ key: String) -> Double? {
      let found: EvaluatedValue? =
        switch value {
        case .object(let object): object.value(forKey: key)
        case .dictionary(let values): values[key]
        case .value, .list, .set: nil
        }
      guard case .value(let plain)? = found else { return nil }
      return plain.number?.real
    }
    guard let latitude = degrees("latitude"), let longitude = degrees("longitude") else {
      throw EvaluationError(.expectedLocation(found: value.noun), at: range)
    }
    self.latitude = latitude
    self.longitude = longitude
  }

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Returns the distance in meters along the great circle, on a sphere with Earth's mean radius.
  package func distance(to other: Location) -> Double {
    let radians = Double.pi / 180
    let northing = sin((other.latitude - latitude) * radians / 2)
    let easting = sin((other.longitude - longitude) * radians / 2)
    let chord =
      northing * northing
      + cos(latitude * radians) * cos(other.latitude * radians) * easting * easting
    return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
  }
}
