/// RFC 4648 base64, with or without its padding.
package enum Base64Text {
  /// The bytes that `text` takes at most.
  package static func capacity(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    text.count / 4 * 3 + 3
  }

  /// Decodes into `place`; nil when `text` is not base64.
  package static func decode(
    _ text: UnsafeBufferPointer<UInt8>, into place: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    var end = text.count
    while end > 0, text.count - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
    // Padding fills a group of four; one digit alone holds no byte.
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
    // Bits that no byte takes must be zero, or two texts would mean the same bytes.
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
