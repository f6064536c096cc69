extension JSONScanner {
  /// string = '"' *( unescaped / escape ) '"'
  ///
  /// At the beginning, `index` and the mark are at the opening quote. At the end, `index` is after the closing quote.
  mutating func scanString() throws {
    isDecoded = false
    input.index += 1
    while true {
      input.index = plainEnd()
      guard try input.has(1) else { throw unexpected("the closing quote of the string") }
      let byte = input.base[input.index]
      switch byte {
      case UInt8(ascii: "\""):
        endString()
        return
      case UInt8(ascii: "\\"): try scanEscape()
      case 0x80...: try input.skipScalar()
      case 0..<0x20:
        throw input.error(.controlCharacter(byte), at: input.index..<input.index + 1)
      // `plainEnd` stopped at the end of the buffer, which now contains more bytes.
      default: break
      }
    }
  }

  private mutating func endString() {
    if isDecoded { copyPlain() }
    textRange = 1..<input.index - input.mark
    input.index += 1
  }

  /// Returns the end of the ASCII text at `index` without quotes, escapes and control characters. Checks eight bytes at
  /// a time.
  @inline(__always)
  private func plainEnd() -> Int {
    let base = UnsafeRawPointer(input.base)
    let limit = input.limit
    var index = input.index
    let ones: UInt64 = 0x0101_0101_0101_0101
    while index + 8 <= limit {
      let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let quote = (word ^ (ones &* 0x22)) &- ones
      let backslash = (word ^ (ones &* 0x5C)) &- ones
      let special = (word &- (ones &* 0x20)) | quote | backslash | word
      guard special & (ones &* 0x80) == 0 else { break }
      index += 8
    }
    while index < limit {
      let byte = input.base[index]
      if byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        break
      }
      index += 1
    }
    return index
  }

  // MARK: Escapes

  /// Appends the bytes between the last escape, or the opening quote, and `index` to `decoded`.
  private mutating func copyPlain() {
    let start = input.mark + textRange.lowerBound
    decoded.append(UnsafeBufferPointer(start: input.base + start, count: input.index - start))
  }

  /// escape = "\" ( one of "\/bfnrt / "u" 4HEXDIG )
  private mutating func scanEscape() throws {
    if !isDecoded {
      decoded.removeAll()
      isDecoded = true
      textRange = 1..<1
    }
    copyPlain()
    guard try input.has(2) else { throw unexpectedEndOfEscape() }
    switch input.base[input.index + 1] {
    case UInt8(ascii: "\""): decoded.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): decoded.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): decoded.append(UInt8(ascii: "/"))
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      try scanUnicodeEscape()
      textRange = input.index - input.mark..<input.index - input.mark
      return
    default: throw badEscape(length: 2)
    }
    input.index += 2
    textRange = input.index - input.mark..<input.index - input.mark
  }

  private mutating func scanUnicodeEscape() throws {
    let start = input.index - input.mark
    let first = try hexUnit()
    var value = UInt32(first)
    if first & 0xFC00 == 0xD800 {
      guard try input.has(2), input.base[input.index] == UInt8(ascii: "\\"),
        input.base[input.index + 1] == UInt8(ascii: "u")
      else { throw loneSurrogate(from: start) }
      let second = try hexUnit()
      guard second & 0xFC00 == 0xDC00 else { throw loneSurrogate(from: start) }
      value = 0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF
    }
    guard let scalar = Unicode.Scalar(value) else { throw loneSurrogate(from: start) }
    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { decoded.append(byte) }
  }

  /// Reads `\uXXXX` at `index`.
  private mutating func hexUnit() throws -> UInt16 {
    guard try input.has(6) else { throw unexpectedEndOfEscape() }
    var value: UInt16 = 0
    for offset in 2..<6 {
      guard let digit = Self.hexDigit(input.base[input.index + offset]) else {
        throw badEscape(length: offset + 1)
      }
      value = value << 4 | digit
    }
    input.index += 6
    return value
  }

  private static func hexDigit(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }

  private mutating func badEscape(length: Int) -> InputError {
    let range = input.index..<min(input.index + length, input.limit)
    return input.error(.badEscape(input.text(range)), at: range)
  }

  private mutating func loneSurrogate(from start: Int) -> InputError {
    input.error(.loneSurrogate, at: input.mark + start..<input.index)
  }

  private mutating func unexpectedEndOfEscape() -> InputError {
    input.index = input.limit
    return unexpected("the rest of the string")
  }

  /// number = [ "-" ] int [ "." 1*DIGIT ] [ ( "e" / "E" ) [ "-" / "+" ] 1*DIGIT ]
  ///
  /// The number isn't converted. The code that stores it interprets its digits.
  mutating func scanNumber() throws {
    isDecoded = false
    if peek() == UInt8(ascii: "-") { input.index += 1 }
    guard try input.has(1) else { throw badNumber() }
    if input.base[input.index] == UInt8(ascii: "0") {
      input.index += 1
      // Leading zeros are invalid, because 012 is octal in other languages.
      if try isDigit() { throw badNumber() }
    } else {
      try scanDigits()
    }
    if try input.has(1), peek() == UInt8(ascii: ".") {
      input.index += 1
      try scanDigits()
    }
    if try input.has(1), peek().map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      input.index += 1
      if try input.has(1), peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") {
        input.index += 1
      }
      try scanDigits()
    }
    textRange = 0..<input.index - input.mark
  }

  private func peek() -> UInt8? {
    input.index < input.limit ? input.base[input.index] : nil
  }

  @inline(__always)
  private mutating func isDigit() throws -> Bool {
    guard try input.has(1) else { return false }
    return input.base[input.index] &- UInt8(ascii: "0") < 10
  }

  /// 1*DIGIT
  private mutating func scanDigits() throws {
    guard try isDigit() else { throw badNumber() }
    while try isDigit() { input.index += 1 }
  }

  private mutating func badNumber() -> InputError {
    var end = input.index
    while end < input.limit, end - input.mark < 40, Self.belongsToNumber(input.base[end]) {
      end += 1
    }
    let text = input.text(input.mark..<end)
    return input.error(.badNumber(text), at: input.mark..<max(end, input.mark + 1))
  }

  private static func belongsToNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "+"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
