#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A number with SQLite's arithmetic. The result of two integers is real only if it doesn't fit in 64 bits, or if it is
/// a power.
package enum Number: Hashable, Sendable {
  case integer(Int64)
  case real(Double)

  package var real: Double {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    }
  }

  /// The number as an operand of a bit operator: without its fraction, and limited to the range of an `Int64`. 0 for
  /// NaN.
  var integer: Int64 {
    switch self {
    case .integer(let number): number
    case .real(let number):
      if number.isNaN {
        0
      } else {
        Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
      }
    }
  }

  /// The number as a value. NaN, such as the root of -1, is null.
  var value: DataValue {
    switch self {
    case .integer(let number): .integer(number)
    case .real(let number): number.isNaN ? .null : .double(number)
    }
  }

  /// Returns a negative number, zero or a positive number, or nil if one of the numbers is NaN. The comparison is exact
  /// even if a Double can't represent the integer.
  func order(_ other: Number) -> Int? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right ? -1 : (left == right ? 0 : 1)
    case (.real(let left), .real(let right)):
      left.isNaN || right.isNaN ? nil : (left < right ? -1 : (left == right ? 0 : 1))
    case (.integer(let left), .real(let right)): Self.order(left, right)
    case (.real(let left), .integer(let right)): Self.order(right, left).map { -$0 }
    }
  }

  private static func order(_ integer: Int64, _ real: Double) -> Int? {
    guard !real.isNaN else { return nil }
    guard let whole = Int64(exactly: real.rounded(.towardZero)) else { return real < 0 ? 1 : -1 }
    guard integer == whole else { return integer < whole ? -1 : 1 }
    let fraction = real - real.rounded(.towardZero)
    return fraction > 0 ? -1 : (fraction < 0 ? 1 : 0)
  }

  /// Returns the result of an operation. Returns nil for a division by zero, because the result is null.
  ///
  /// As in SQLite, the result of two integers is an integer if it fits in 64 bits. A power is always real.
  package static func compute(
    _ operation: ArithmeticOperator, _ left: Number, _ right: Number
  ) -> Number? {
    switch operation {
    case .add: exactly(left, right, Int64.addingReportingOverflow, +)
    case .subtract: exactly(left, right, Int64.subtractingReportingOverflow, -)
    case .multiply: exactly(left, right, Int64.multipliedReportingOverflow, *)
    case .divide: right.real == 0 ? nil : exactly(left, right, Int64.dividedReportingOverflow, /)
    case .power: .real(pow(left.real, right.real))
    case .bitwiseAnd: .integer(left.integer & right.integer)
    case .bitwiseOr: .integer(left.integer | right.integer)
    case .bitwiseXor: .integer(left.integer ^ right.integer)
    case .shiftLeft: left.shifted(by: right.integer)
    case .shiftRight: left.shifted(by: -max(right.integer, -Int64.max))
    }
  }

  /// Returns the remainder of a division that truncates, or nil if `divisor` is zero.
  package func remainder(by divisor: Number) -> Number? {
    guard divisor.real != 0 else { return nil }
    guard case .integer(let left) = self, case .integer(let right) = divisor else {
      return .real(real.truncatingRemainder(dividingBy: divisor.real))
    }
    return .integer(left.remainderReportingOverflow(dividingBy: right).partialValue)
  }

  var negated: Number {
    if case .integer(let number) = self, number != .min { return .integer(-number) }
    return .real(-real)
  }

  /// The absolute value. It is real for the least integer, whose magnitude doesn't fit in 64 bits.
  package var magnitude: Number { real < 0 ? negated : self }

  /// Shifts left by a positive number of bits, right by a negative one. A shift by 64 bits or more returns 0, or -1 for
  /// a negative number that is shifted right.
  private func shifted(by bits: Int64) -> Number { .integer(integer << bits) }

  private static func exactly(
    _ left: Number, _ right: Number,
    _ whole: (Int64) -> (Int64) -> (partialValue: Int64, overflow: Bool),
    _ real: (Double, Double) -> Double
  ) -> Number {
    if case .integer(let first) = left, case .integer(let second) = right {
      let (result, overflow) = whole(first)(second)
      if !overflow { return .integer(result) }
    }
    return .real(real(left.real, right.real))
  }
}

/// Computes median:, mode: and stddev: of numbers.
package struct Statistics {
  private let sorted: [Number]

  package init(_ numbers: [Number]) {
    sorted = numbers.sorted { ($0.order($1) ?? 0) < 0 }
  }

  /// The middle number, or the mean of the two middle numbers; nil if there aren't any numbers.
  package var median: Number? {
    guard let first = middle.first, let last = middle.last else { return nil }
    return middle.count == 1 ? first : .real(first.real / 2 + last.real / 2)
  }

  /// The middle number, or the two middle numbers if the count is even; empty if there aren't any numbers.
  package var middle: ArraySlice<Number> {
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? sorted[max(half - 1, 0)..<min(half + 1, sorted.count)] : sorted[half...half]
  }

  /// The most frequent numbers in ascending order.
  var modes: [Number] {
    var runs: [(number: Number, count: Int)] = []
    for number in sorted {
      if let last = runs.last, last.number.order(number) == 0 {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((number, 1))
      }
    }
    let most = runs.map(\.count).max()
    return runs.filter { $0.count == most }.map(\.number)
  }

  /// The standard deviation of the numbers as a whole population; nil if there aren't any numbers.
  package var standardDeviation: Number? {
    guard !sorted.isEmpty else { return nil }
    let count = Double(sorted.count)
    let mean = sorted.reduce(0) { $0 + $1.real } / count
    let variance = sorted.reduce(0) { $0 + ($1.real - mean) * ($1.real - mean) } / count
    return .real(variance.squareRoot())
  }
}
