extension JSONScanner {
  /// number = [ "-" ] int [ "." 1*DIGIT ] [ ( "e" / "E" ) [ "-" / "+" ] 1*DIGIT ]
  ///
  /// The digits are kept as they stand: what they mean is decided by who stores them.
  mutating func scanNumber() throws {
    isDecoded = false
    if peek() == UInt8(ascii: "-") { input.index += 1 }
    guard try input.has(1) else { throw badNumber() }
    if input.base[input.index] == UInt8(ascii: "0") {
      input.index += 1
      // No leading zeros: 012 is octal elsewhere.
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
    let text = String(
      decoding: UnsafeBufferPointer(start: input.base + input.mark, count: end - input.mark),
      as: UTF8.self)
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
