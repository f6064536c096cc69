/// A number as SQLite computes: an integer for as long as it fits one.
package enum Number: Hashable, Sendable {
  case integer(Int64)
  case real(Double)

  package var real: Double {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    }
  }

  /// Without the fraction, and at the nearest end of 64 bits where it does not fit; what the bit
  /// operators work on.
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

  /// NaN, the root of -1, is nothing.
  var value: Value {
    switch self {
    case .integer(let number): .integer(number)
    case .real(let number): number.isNaN ? .null : .double(number)
    }
  }

  /// Negative, zero or positive; exact also where a Double cannot hold the integer. Nil beside NaN.
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
}
