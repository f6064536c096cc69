/// SHA-512, as FIPS 180-4 defines it.
enum SHA512 {
  static func hash(_ message: [UInt8]) -> [UInt8] {
    var state = start
    let bytes = SHA2Padding.padded(message, to: UInt64.bitWidth * 2)
    for block in stride(from: 0, to: bytes.count, by: UInt64.bitWidth * 2) {
      mix(words(of: bytes, from: block), into: &state)
    }
    return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  private static let start = SHA2Constants.start
  private static let rounds = SHA2Constants.rounds

  /// The words of a block, and those that follow from them, one for each round.
  private static func words(of bytes: [UInt8], from start: Int) -> [UInt64] {
    var words: [UInt64] = []
    words.reserveCapacity(rounds.count)
    for place in 0..<16 {
      let first = start + place * UInt64.bitWidth / 8
      words.append(bytes[first..<first + UInt64.bitWidth / 8].reduce(0) { $0 &<< 8 | UInt64($1) })
    }
    for place in 16..<rounds.count {
      words.append(
        words[place - 16] &+ early(words[place - 15]) &+ words[place - 7]
          &+ late(words[place - 2]))
    }
    return words
  }

  private static func mix(_ words: [UInt64], into state: inout [UInt64]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for place in 0..<rounds.count {
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let one = h &+ lower(e) &+ choice &+ rounds[place] &+ words[place]
      let two = upper(a) &+ majority
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ one, c, b, a, one &+ two)
    }
    for (place, value) in [a, b, c, d, e, f, g, h].enumerated() { state[place] &+= value }
  }

  private static func upper(_ x: UInt64) -> UInt64 {
    rotated(x, 28) ^ rotated(x, 34) ^ rotated(x, 39)
  }

  private static func lower(_ x: UInt64) -> UInt64 {
    rotated(x, 14) ^ rotated(x, 18) ^ rotated(x, 41)
  }

  private static func early(_ x: UInt64) -> UInt64 {
    rotated(x, 1) ^ rotated(x, 8) ^ (x &>> 7)
  }

  private static func late(_ x: UInt64) -> UInt64 {
    rotated(x, 19) ^ rotated(x, 61) ^ (x &>> 6)
  }

  private static func rotated(_ x: UInt64, _ count: UInt64) -> UInt64 {
    (x &>> count) | (x &<< (UInt64(UInt64.bitWidth) &- count))
  }
}
