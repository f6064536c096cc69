import StorePredicate

/// The exact sum of Decimals. A column contains a Decimal as an integer or as the nearest Double. A Double is treated
/// as the shortest decimal that reads back as this Double, so that 100.1 + 100.1 + 100.1 is 300.3.
///
/// The digits of the sum fit in 128 bits. Numbers that it can't represent exactly are added as Doubles.
///
/// All bytes of an empty sum are 0, because SQLite provides zeroed memory.
struct DecimalSum {
  // The halves of an Int128, whose alignment is stricter than that of SQLite's memory.
  private var low: UInt64 = 0
  private var high: Int64 = 0
  /// The number of fraction digits.
  private var scale = 0
  /// The sum of the numbers that `digits` can't represent.
  private var rest = 0.0

  private var digits: Int128 {
    get { Int128(high) << 64 | Int128(low) }
    set {
      low = UInt64(truncatingIfNeeded: newValue)
      high = Int64(truncatingIfNeeded: newValue >> 64)
    }
  }

  mutating func add(_ number: Number) {
    let decimal: Decimal? =
      switch number {
      case .integer(let integer): Decimal(digits: Int128(integer), scale: 0)
      case .real(let real): Decimal(real, near: scale)
      }
    guard let decimal, add(decimal) else { return rest += number.real }
  }

  /// Adds a decimal.
  ///
  /// - Returns: false, without adding the decimal, if the digits of an operand or of the sum don't fit in 128 bits.
  private mutating func add(_ decimal: Decimal) -> Bool {
    let common = max(scale, decimal.scale)
    guard let sum = Decimal(digits: digits, scale: scale).digits(at: common),
      let summand = decimal.digits(at: common)
    else { return false }
    let (total, overflow) = sum.addingReportingOverflow(summand)
    guard !overflow else { return false }
    digits = total
    scale = common
    return true
  }

  /// The sum: an integer if it is exact, whole and fits in 64 bits, otherwise a Double.
  var value: Number {
    let sum = Decimal(digits: digits, scale: scale).number
    return rest == 0 ? sum : .real(sum.real + rest)
  }

  /// The sum divided by `count`. If the sum is exact, it is divided with more digits than a Double has.
  func mean(of count: Int) -> Number {
    guard rest == 0 else { return .real(value.real / Double(count)) }
    var dividend = Decimal(digits: digits, scale: scale)
    while dividend.digits != 0, dividend.digits.magnitude < Self.manyDigits {
      dividend.digits *= 10
      dividend.scale += 1
    }
    dividend.digits /= Int128(count)
    return dividend.number
  }

  private static let manyDigits: UInt128 = 1_000_000_000_000_000_000_000_000_000_000
}

/// `digits` divided by ten to the power of `scale`.
private struct Decimal {
  var digits: Int128
  var scale: Int

  init(digits: Int128, scale: Int) {
    self.digits = digits
    self.scale = scale
  }

  /// Creates the shortest decimal that reads back as `real`, or nil for infinity, NaN, and a decimal with too
  /// many digits or fraction digits.
  ///
  /// - Parameter scale: the likely number of fraction digits.
  init?(_ real: Double, near scale: Int) {
    if let digits = Self.shortDigits(of: real, scale) {
      self.init(digits: digits, scale: scale)
      return
    }
    for scale in 0..<Self.powers.count {
      guard let digits = Self.shortDigits(of: real, scale) else { continue }
      self.init(digits: digits, scale: scale)
      return
    }
    self.init(text: real.description)
  }

  /// Returns the digits of the decimal with this scale that reads back as `real`, or nil if there is none with at most
  /// 15 digits. There is never more than one. Both operands of the division are exact, so the quotient is the Double
  /// nearest to the decimal.
  private static func shortDigits(of real: Double, _ scale: Int) -> Int128? {
    guard scale < powers.count else { return nil }
    let digits = (real * powers[scale]).rounded()
    guard digits.magnitude < 1e15, digits / powers[scale] == real else { return nil }
    return Int128(digits)
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  /// Parses the description of a Double, such as `-12.5`, `1e-07` or `5e+20`.
  private init?(text: String) {
    let parts = text.split(separator: "e")
    let number = parts[0].split(separator: ".")
    let fraction = number.count > 1 && number[1] != "0" ? number[1] : ""
    guard let digits = Int128(number[0] + fraction) else { return nil }
    let scale = fraction.count - (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    guard scale <= Self.mostScale else { return nil }
    self.init(digits: digits, scale: scale)
    guard scale < 0 else { return }
    guard let whole = self.digits(at: 0) else { return nil }
    self.init(digits: whole, scale: 0)
  }

  /// The maximum scale. A larger scale would leave too few digits for numbers of the usual size.
  private static let mostScale = 20

  /// Returns the digits for an equal or larger scale, or nil if they don't fit in 128 bits.
  func digits(at scale: Int) -> Int128? {
    var result = digits
    for _ in self.scale..<scale {
      let (product, overflow) = result.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      result = product
    }
    return result
  }

  var number: Number {
    var (digits, scale) = (digits, scale)
    while scale > 0, digits.isMultiple(of: 10) {
      digits /= 10
      scale -= 1
    }
    if scale == 0, let integer = Int64(exactly: digits) { return .integer(integer) }
    // Parsing the text rounds once.
    return .real(Double("\(digits)e-\(scale)") ?? .nan)
  }
}
