extension ISODate {
  /// Returns the date in UTC, with the shortest fraction that reads back to the same number, or nil for NaN, infinity
  /// and dates beyond `limit`. Years outside of 0…9999 have a sign and at least six digits.
  package static func text(_ seconds: Double) -> String? {
    var bytes: [UInt8] = []
    guard append(seconds, to: &bytes) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text that `text(_:)` returns. If `text(_:)` returns nil, returns false and doesn't append anything.
  package static func append(_ seconds: Double, to bytes: inout [UInt8]) -> Bool {
    guard seconds.magnitude <= limit else { return false }
    let floor = seconds.rounded(.down)
    appendDateAndTime(Int64(floor), to: &bytes)
    if floor != seconds { appendFraction(of: seconds, to: &bytes) }
    bytes.append(UInt8(ascii: "Z"))
    return true
  }

  private static func appendDateAndTime(_ seconds: Int64, to bytes: inout [UInt8]) {
    var (day, second) = seconds.quotientAndRemainder(dividingBy: secondsPerDay)
    if second < 0 {
      day -= 1
      second += secondsPerDay
    }
    let civil = CivilDay(daysSince1970: day + referenceDay)
    // The array grows once instead of once per digit.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 40) { buffer in
      var line = FixedDigits(buffer: buffer)
      line.appendYear(civil.year)
      line.append(UInt8(ascii: "-"), civil.month)
      line.append(UInt8(ascii: "-"), civil.day)
      line.append(UInt8(ascii: "T"), second / 3_600)
      line.append(UInt8(ascii: ":"), second / 60 % 60)
      line.append(UInt8(ascii: ":"), second % 60)
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[..<line.count]))
    }
  }

  private static func appendFraction(of seconds: Double, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "."))
    if appendDecimals(3, of: seconds, to: &bytes) || appendDecimals(6, of: seconds, to: &bytes) {
      return
    }
    bytes += Fraction(of: seconds).digits
  }

  /// Appends the fraction with at most `count` decimals, 3 or 6. Returns false, and doesn't append anything, if the
  /// fraction has more decimals or the number is too large.
  private static func appendDecimals(
    _ count: Int, of seconds: Double, to bytes: inout [UInt8]
  ) -> Bool {
    let scale: Int64 = count == 3 ? 1_000 : 1_000_000
    let scaled = (seconds * Double(scale)).rounded()
    // Below 2^52, both numbers are exact, and the reader computes the same quotient from them. Different dividends have
    // different quotients, so another fraction with at most `count` decimals is read as another number.
    guard scaled.magnitude < 0x1p52, scaled / Double(scale) == seconds else { return false }
    var rest = Int64(scaled) % scale
    if rest < 0 { rest += scale }
    var divisor = scale / 10
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(rest / divisor))
      rest %= divisor
      divisor /= 10
    }
    return true
  }
}

/// The decimal digits of a fraction of a second.
struct Fraction {
  /// The digits in ASCII, without trailing zeros.
  var digits: [UInt8]

  /// Creates the shortest fraction that, added to `seconds` rounded down, is read as `seconds`.
  init(of seconds: Double) {
    let description = seconds.magnitude.description.utf8
    guard description.contains(UInt8(ascii: "e")) else {
      digits = Array(description.drop { $0 != UInt8(ascii: ".") }.dropFirst())
      trimZeros()
      if seconds < 0 { complement() }
      return
    }
    let parts = Array(description).split(separator: UInt8(ascii: "e"))
    let mantissa = parts[0].split(separator: UInt8(ascii: "."))
    digits = mantissa.count > 1 ? Array(mantissa[1]) : []
    // Only numbers far below one second have an exponent. The other numbers within `limit` consist of digits.
    if parts.count > 1, let exponent = Int(String(decoding: parts[1], as: UTF8.self)) {
      digits =
        Array(repeating: UInt8(ascii: "0"), count: max(0, -exponent - 1)) + mantissa[0] + digits
    }
    trimZeros()
    if seconds < 0 { complement() }
  }

  /// Creates a fraction from digits, which can end with zeros.
  init(digits: some Sequence<UInt8>) {
    self.digits = Array(digits)
    trimZeros()
  }

  private mutating func trimZeros() {
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
  }

  /// Replaces the fraction with one minus the fraction. This is only correct because the last digit isn't zero.
  mutating func complement() {
    for index in digits.indices { digits[index] = UInt8(ascii: "9") - digits[index] + 0x30 }
    if let last = digits.indices.last { digits[last] += 1 }
  }
}

/// Writes numbers of fixed width into a buffer, which must be large enough.
private struct FixedDigits {
  let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  private mutating func append(_ byte: UInt8) {
    buffer[count] = byte
    count += 1
  }

  /// Appends a separator and two digits.
  mutating func append(_ separator: UInt8, _ number: Int64) {
    append(separator)
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  mutating func appendYear(_ year: Int64) {
    var divisor: Int64 = 1_000
    if !(0...9_999).contains(year) {
      append(UInt8(ascii: year < 0 ? "-" : "+"))
      divisor = 100_000
      while Int64(year.magnitude) / divisor >= 10 { divisor *= 10 }
    }
    var rest = Int64(year.magnitude)
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
      rest %= divisor
      divisor /= 10
    }
  }
}
