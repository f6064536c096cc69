extension ISODate {
  /// Returns the seconds since 2001-01-01 00:00 UTC of a date with or without a time, or nil if `text` isn't a date.
  ///
  /// Examples are `2024-05-06`, `2024-05-06T07:08` and `2024-05-06 07:08:09.25+02:00`. A `T` or a space precedes the
  /// time. Seconds and their fraction are optional. The offset is `Z`, `+02:00`, `+0200` or `+02`. Without an offset,
  /// the time is in UTC.
  package static func seconds(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { seconds(utf8: $0) }
  }

  /// Returns the seconds since 2001-01-01 00:00 UTC of a date in UTF-8, or nil if `bytes` aren't a date.
  package static func seconds(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var reader = Reader(bytes: bytes)
    guard let day = reader.readDay() else { return nil }
    var seconds = (day.daysSince1970 - referenceDay) * secondsPerDay
    guard !reader.isAtEnd else { return Double(seconds) }
    guard let time = reader.readTime(), let offset = reader.readOffset(), reader.isAtEnd
    else { return nil }
    seconds += time.seconds - offset
    return time.fraction.isEmpty
      ? Double(seconds) : join(seconds, UnsafeBufferPointer(rebasing: bytes[time.fraction]))
  }

  /// Returns the sum of whole seconds and a fraction, rounded once to the nearest `Double`.
  ///
  /// - Parameter digits: the ASCII digits of the fraction, which follow the decimal point.
  static func join(_ whole: Int64, _ digits: UnsafeBufferPointer<UInt8>) -> Double? {
    if digits.count <= 9 {
      var scale: Int64 = 1
      var fraction: Int64 = 0
      for digit in digits {
        scale *= 10
        fraction = fraction * 10 + Int64(digit - UInt8(ascii: "0"))
      }
      let (product, overflow) = whole.multipliedReportingOverflow(by: scale)
      // Both numbers are exact, so only the division rounds.
      if !overflow, product.magnitude < 1 << 52 {
        return Double(product + fraction) / Double(scale)
      }
    }
    var fraction = Fraction(digits: digits)
    guard !fraction.digits.isEmpty else { return Double(whole) }
    guard whole < 0 else {
      return Double("\(whole).\(String(decoding: fraction.digits, as: UTF8.self))")
    }
    fraction.complement()
    return Double("-\(-(whole + 1)).\(String(decoding: fraction.digits, as: UTF8.self))")
  }
}

private struct Reader {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  /// Reads a number of exactly `count` digits.
  private mutating func readDigits(_ count: Int) -> Int64? {
    guard position + count <= bytes.count else { return nil }
    var value: Int64 = 0
    for offset in position..<(position + count) {
      let digit = bytes[offset] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int64(digit)
    }
    position += count
    return value
  }

  private func countDigits() -> Int {
    bytes[position...].prefix { $0 &- UInt8(ascii: "0") < 10 }.count
  }

  /// Reads a year of four digits, or of a sign and four to nine digits, then month and day.
  mutating func readDay() -> CivilDay? {
    let isNegative = peek() == UInt8(ascii: "-")
    let isSigned = take(UInt8(ascii: "-")) || take(UInt8(ascii: "+"))
    let digits = isSigned ? countDigits() : 4
    guard (4...9).contains(digits), let year = readDigits(digits), take(UInt8(ascii: "-")),
      let month = readDigits(2), take(UInt8(ascii: "-")), let day = readDigits(2)
    else { return nil }
    return CivilDay(year: isNegative ? -year : year, month: month, day: day)
  }

  /// Reads a time such as `T07:08:09.25`. Returns the whole seconds since midnight, and the range of the fraction's
  /// digits in `bytes`.
  mutating func readTime() -> (seconds: Int64, fraction: Range<Int>)? {
    guard take(UInt8(ascii: "T")) || take(UInt8(ascii: "t")) || take(UInt8(ascii: " ")),
      let hour = readDigits(2), hour < 24, take(UInt8(ascii: ":")),
      let minute = readDigits(2), minute < 60
    else { return nil }
    let seconds = hour * 3_600 + minute * 60
    guard take(UInt8(ascii: ":")) else { return (seconds, 0..<0) }
    guard let second = readDigits(2), second < 60 else { return nil }
    guard take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) else {
      return (seconds + second, 0..<0)
    }
    let start = position
    position += countDigits()
    guard position > start else { return nil }
    return (seconds + second, start..<position)
  }

  /// Reads the offset from UTC in seconds, which is positive east of UTC. Returns 0 if it is missing, and nil if it is
  /// invalid.
  mutating func readOffset() -> Int64? {
    guard !isAtEnd, !take(UInt8(ascii: "Z")), !take(UInt8(ascii: "z")) else { return 0 }
    let isWest = peek() == UInt8(ascii: "-")
    guard take(UInt8(ascii: "-")) || take(UInt8(ascii: "+")), let hours = readDigits(2), hours < 24
    else { return nil }
    var minutes: Int64 = 0
    if !isAtEnd {
      _ = take(UInt8(ascii: ":"))
      guard let read = readDigits(2), read < 60 else { return nil }
      minutes = read
    }
    return (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }
}
