/// Exact parsing of decimal numbers.
package enum NumberText {
  /// Returns an integer, or nil for other text and for numbers that don't fit in 64 bits.
  @inline(__always)
  package static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard let first = text.first else { return nil }
    let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
    guard text.count > (isSigned ? 1 : 0) else { return nil }
    var value: Int64 = 0
    for byte in text.dropFirst(isSigned ? 1 : 0) {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      // The number is accumulated as a negative one, because `Int64.min` doesn't have a positive counterpart.
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, underflow) = product.subtractingReportingOverflow(Int64(digit))
      guard !overflow, !underflow else { return nil }
      value = sum
    }
    if first == UInt8(ascii: "-") { return value }
    return value == .min ? nil : -value
  }

  /// Returns the Double nearest to a decimal number, or nil for other text. A number that is too large becomes
  /// infinite.
  package static func double(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    if let value = shortDouble(text) { return value }
    guard let first = text.first, isNumberStart(first) else { return nil }
    // Swift also accepts hexadecimal digits, "inf" and "nan", which aren't decimal numbers.
    guard text.allSatisfy(isDecimalByte) else { return nil }
    return Double(String(decoding: text, as: UTF8.self))
  }

  /// Returns a number with up to 15 digits, or nil for other text. The digits and the power of ten are exact Doubles,
  /// so one division rounds correctly (Clinger, "How to read floating point numbers accurately").
  @inline(__always)
  private static func shortDouble(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    guard !text.isEmpty, text.count <= 17 else { return nil }
    var mantissa: Int64 = 0
    var digits = 0
    var fraction: Int?
    let isNegative = text[0] == UInt8(ascii: "-")
    for index in (isNegative ? 1 : 0)..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      if digit < 10 {
        mantissa = mantissa * 10 + Int64(digit)
        digits += 1
        fraction = fraction.map { $0 + 1 }
      } else if text[index] == UInt8(ascii: "."), fraction == nil, digits > 0 {
        fraction = 0
      } else {
        return nil
      }
    }
    guard digits > 0, digits <= 15, fraction != 0 else { return nil }
    let value = Double(mantissa) / powers[fraction ?? 0]
    return isNegative ? -value : value
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]

  private static func isNumberStart(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: ".")
  }

  private static func isDecimalByte(_ byte: UInt8) -> Bool {
    isNumberStart(byte) || byte | 0x20 == UInt8(ascii: "e")
  }

  /// Returns the number of digits before an exponent, without leading and trailing zeros.
  package static func significantDigits(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    let mantissa = text.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let digits = mantissa.filter { $0 &- UInt8(ascii: "0") < 10 }
    let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
    let trailing = digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    return max(0, digits.count - leading - trailing)
  }
}

/// Decoding of Base64 (RFC 4648), with or without padding.
package enum Base64Text {
  /// Returns the maximum number of bytes that decoding writes.
  package static func capacity(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    text.count / 4 * 3 + 3
  }

  /// Decodes into `place`. Returns the number of bytes, or nil if `text` isn't Base64.
  package static func decode(
    _ text: UnsafeBufferPointer<UInt8>, into place: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    var end = text.count
    while end > 0, text.count - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
    // Padding completes a group of four digits. A single digit doesn't contain a whole byte.
    guard end == text.count || text.count % 4 == 0, end % 4 != 1 else { return nil }
    var bits: UInt32 = 0
    var bitCount = 0
    var count = 0
    for index in 0..<end {
      guard let digit = digit(text[index]) else { return nil }
      bits = bits << 6 | digit
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        place[count] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
        count += 1
      }
    }
    // Unused bits must be zero, so that each sequence of bytes has only one text.
    guard bits & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
    return count
  }

  @inline(__always)
  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
