extension ByteBuffer {
  package mutating func append(decimal value: Int64) {
    reserve(20)
    var rest = value.magnitude
    var length = value < 0 ? 1 : 0
    var probe = rest
    repeat {
      length += 1
      probe /= 10
    } while probe > 0
    var place = end + length
    repeat {
      place -= 1
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      place.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
    if value < 0 { end.pointee = UInt8(ascii: "-") }
    commit(length)
  }

  /// The shortest digits that read back as the same Double; `nan`, `inf` and `-inf` for the rest.
  package mutating func append(shortest value: Double) { append(value.description) }

  /// The shortest digits that read back as the same Float.
  package mutating func append(shortest value: Float) { append(value.description) }

  /// 16 bytes as `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`; false, and nothing written, for other lengths.
  package mutating func append(uuid bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 16 else { return false }
    reserve(36)
    var place = end
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 {
        place.pointee = UInt8(ascii: "-")
        place += 1
      }
      place[0] = Self.upperHex(byte >> 4)
      place[1] = Self.upperHex(byte & 15)
      place += 2
    }
    commit(36)
    return true
  }

  @inline(__always)
  private static func upperHex(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }

  /// RFC 4648 base64 with padding.
  package mutating func append(base64 bytes: UnsafeBufferPointer<UInt8>) {
    let length = (bytes.count + 2) / 3 * 4
    reserve(length)
    var place = end
    Self.base64Alphabet.withUTF8Buffer { alphabet in
      var index = 0
      while index < bytes.count {
        let left = bytes.count - index
        let second = left > 1 ? bytes[index + 1] : 0
        let third = left > 2 ? bytes[index + 2] : 0
        place[0] = alphabet[Int(bytes[index] >> 2)]
        place[1] = alphabet[Int((bytes[index] & 0x03) << 4 | second >> 4)]
        place[2] = left > 1 ? alphabet[Int((second & 0x0F) << 2 | third >> 6)] : UInt8(ascii: "=")
        place[3] = left > 2 ? alphabet[Int(third & 0x3F)] : UInt8(ascii: "=")
        place += 4
        index += 3
      }
    }
    commit(length)
  }

  private static let base64Alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
}
