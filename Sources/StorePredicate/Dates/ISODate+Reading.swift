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
    var reader = DateScanner(bytes: bytes)
    guard let day = reader.readDay() else { return nil }
    var seconds = (day.daysSince1970 - referenceDay) * secondsPerDay
    guard !reader.isAtEnd else { return Double(seconds) }
    guard let time = reader.readTime(), let offset = reader.readZone(), reader.isAtEnd
    else { return nil }
    seconds += time.seconds - offset
    return join(seconds, UnsafeBufferPointer(rebasing: bytes[time.fraction]))
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

/// Reads the parts of a date in UTF-8.
struct DateScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  var rest: Slice<UnsafeBufferPointer<UInt8>> { bytes[position...] }

  func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  mutating func take(_ text: some Collection<UInt8>) -> Bool {
    guard rest.starts(with: text) else { return false }
    position += text.count
    return true
  }

  /// Reads a number. Further digits after the largest number of digits aren't read.
  mutating func readNumber(of digits: ClosedRange<Int>) -> Int64? {
    let end = min(position + digits.upperBound, bytes.count)
    var next = position
    var value: Int64 = 0
    while next < end {
      let digit = bytes[next] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value * 10 + Int64(digit)
      next += 1
    }
    guard next - position >= digits.lowerBound else { return nil }
    position = next
    return value
  }

  /// Reads all digits. Returns their range in `bytes`, or nil if there are none.
  mutating func readDigits() -> Range<Int>? {
    let count = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }.count
    guard count > 0 else { return nil }
    defer { position += count }
    return position..<position + count
  }

  /// Reads an offset from UTC such as `+02:00`, `+0200` or `+02`. Returns its seconds, which are positive east of UTC.
  mutating func readOffset() -> Int64? {
    let isWest = peek() == UInt8(ascii: "-")
    guard take(UInt8(ascii: "-")) || take(UInt8(ascii: "+")), let hours = readNumber(of: 2...2),
      hours < 24
    else { return nil }
    let hasColon = take(UInt8(ascii: ":"))
    let minutes = readNumber(of: 2...2)
    guard minutes != nil || !hasColon, minutes ?? 0 < 60 else { return nil }
    return (isWest ? -1 : 1) * (hours * 3_600 + (minutes ?? 0) * 60)
  }
}

extension DateScanner {
  /// Reads a year of four digits, or of a sign and four to nine digits, then month and day.
  mutating func readDay() -> CivilDay? {
    let isNegative = peek() == UInt8(ascii: "-")
    let isSigned = take(UInt8(ascii: "-")) || take(UInt8(ascii: "+"))
    guard let year = readNumber(of: isSigned ? 4...9 : 4...4), take(UInt8(ascii: "-")),
      let month = readNumber(of: 2...2), take(UInt8(ascii: "-")), let day = readNumber(of: 2...2)
    else { return nil }
    return CivilDay(year: isNegative ? -year : year, month: month, day: day)
  }

  /// Reads a time such as `T07:08:09.25`. Returns the whole seconds since midnight, and the range of the fraction's
  /// digits in `bytes`.
  mutating func readTime() -> (seconds: Int64, fraction: Range<Int>)? {
    guard take(UInt8(ascii: "T")) || take(UInt8(ascii: "t")) || take(UInt8(ascii: " ")),
      let hour = readNumber(of: 2...2), hour < 24, take(UInt8(ascii: ":")),
      let minute = readNumber(of: 2...2), minute < 60
    else { return nil }
    let seconds = hour * 3_600 + minute * 60
    guard take(UInt8(ascii: ":")) else { return (seconds, 0..<0) }
    guard let second = readNumber(of: 2...2), second < 60 else { return nil }
    guard take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) else {
      return (seconds + second, 0..<0)
    }
    return readDigits().map { (seconds + second, $0) }
  }

  /// Reads the offset at the end of a date. Returns 0 for `Z` and for a missing offset.
  mutating func readZone() -> Int64? {
    guard !isAtEnd, !take(UInt8(ascii: "Z")), !take(UInt8(ascii: "z")) else { return 0 }
    return readOffset()
  }
}
