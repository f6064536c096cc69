extension PredicateEvaluator {
  mutating func call(
    _ function: Function, _ arguments: [FormatExpression], at range: TextRange
  ) throws(EvaluationError) -> EvaluatedValue {
    switch function {
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation:
      return try fold(function, arguments, at: range)
    case .random: return .value(.double(Double.random(in: 0..<1)))
    case .now: return .value(.date(now))
    case .noIndex, .randomBelow, .modulus, .squareRoot, .log, .naturalLog, .exponential, .ceiling,
      .floor, .absolute, .truncate, .onesComplement, .uppercase, .lowercase, .canonical, .length,
      .distance:
      break
    }
    let values = try values(arguments)
    guard let first = values.first, values.count > (function.arity.lowerBound - 1) else {
      return .null
    }
    if function == .noIndex { return first }
    if values.contains(where: \.isNull) { return .null }
    switch function {
    case .uppercase, .lowercase, .canonical, .length:
      return .value(try text(function, first, at: arguments[0].range))
    case .distance:
      return .value(
        .double(
          try Location(first, at: arguments[0].range)
            .distance(to: try Location(values[1], at: arguments[1].range))))
    default: return .value(try number(function, values, arguments))
    }
  }

  private func number(
    _ function: Function, _ values: [EvaluatedValue], _ arguments: [FormatExpression]
  ) throws(EvaluationError) -> Value {
    guard let number = try number(values[0], at: arguments[0].range) else { return .null }
    if let compute = function.ofReal { return Number.real(compute(number.real)).value }
    switch function {
    case .absolute: return number.magnitude.value
    case .onesComplement: return .integer(~number.integer)
    case .randomBelow:
      return .integer(number.integer > 0 ? Int64.random(in: 0..<number.integer) : 0)
    case .modulus:
      let divisor = try self.number(values[1], at: arguments[1].range)
      return divisor.flatMap(number.remainder(by:))?.value ?? .null
    default: return .null
    }
  }

  private func text(
    _ function: Function, _ value: EvaluatedValue, at range: TextRange
  ) throws(EvaluationError) -> Value {
    if function == .length, case .value(.binary(let bytes)) = value {
      return .integer(Int64(bytes.count))
    }
    guard case .value(.string(let text)) = value else {
      throw EvaluationError(.expectedText(found: value.noun), at: range)
    }
    switch function {
    case .uppercase: return .string(text.uppercased())
    case .lowercase: return .string(text.lowercased())
    case .canonical:
      return .string(TextFolding([.caseInsensitive, .diacriticInsensitive]).fold(text))
    // SQLite counts code points, Foundation units of UTF-16.
    default:
      return .integer(Int64(asStored ? text.unicodeScalars.count : text.utf16.count))
    }
  }

  /// `sum(items.price)`, `max(a, b)`, `max({a, b})`
  private mutating func fold(
    _ function: Function, _ arguments: [FormatExpression], at range: TextRange
  ) throws(EvaluationError) -> EvaluatedValue {
    var values = try values(arguments)
    var isListed = true
    if let only = arguments.first, arguments.count == 1 {
      if values[0].isNull, nulls == .memory { return .null }
      if case .list = only.kind {} else { isListed = values[0].members == nil && !values[0].isNull }
      values = values[0].isNull ? [] : values[0].members ?? values
    }
    if function == .count {
      let isCounted: (EvaluatedValue) -> Bool = { isListed || !$0.isNull }
      return .value(
        .integer(Int64(nulls == .memory ? values.count : values.filter(isCounted).count)))
    }
    // Between written values SQL adds with `+`, which NULL makes NULL.
    if nulls == .sql, isListed, !function.isStatistic, values.contains(where: \.isNull) {
      return .null
    }
    switch function {
    case .min: return try extreme(values, at: range) { $0 < 0 }
    case .max: return try extreme(values, at: range) { $0 > 0 }
    case .sum where isListed && nulls == .sql:
      return .value(try chain(values, at: range).value)
    case .average where isListed && nulls == .sql && !values.isEmpty:
      let sum = try chain(values, at: range).real
      return .value(Number.real(sum / Double(values.count)).value)
    case .sum: return .value(try sum(values, at: range).value)
    case .average: return .value(try average(values, at: range))
    default: return try statistics(function, values, at: range)
    }
  }

  /// Written values are added with `+` one after the other: what has once become real stays so.
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
    _ function: Function, _ values: [EvaluatedValue], at range: TextRange
  ) throws(EvaluationError) -> EvaluatedValue {
    var numbers: [Number] = []
    for value in values {
      if let number = try number(value, at: range), !number.real.isNaN { numbers.append(number) }
    }
    let statistics = Statistics(numbers)
    switch function {
    case .median: return .value(statistics.median?.value ?? .null)
    case .mode: return .list(statistics.modes.map { .value($0.value) })
    default: return .value(statistics.standardDeviation?.value ?? .null)
    }
  }
}

extension Function {
  /// Passes over a missing value wherever it stands: what is there most often is asked of those there.
  fileprivate var isStatistic: Bool {
    self == .median || self == .mode || self == .standardDeviation
  }
}
