/// SHA-256, as FIPS 180-4 defines it.
enum SHA256 {
  static func hash(_ message: [UInt8]) -> [UInt8] {
    var state = start
    let bytes = SHA2Padding.padded(message, to: UInt32.bitWidth * 2)
    for block in stride(from: 0, to: bytes.count, by: UInt32.bitWidth * 2) {
      mix(words(of: bytes, from: block), into: &state)
    }
    return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  private static let start = SHA2Constants.start.map { UInt32($0 >> 32) }
  private static let rounds = SHA2Constants.rounds.prefix(64).map { UInt32($0 >> 32) }

  /// The words of a block, and those that follow from them, one for each round.
  private static func words(of bytes: [UInt8], from start: Int) -> [UInt32] {
    var words: [UInt32] = []
    words.reserveCapacity(rounds.count)
    for place in 0..<16 {
      let first = start + place * UInt32.bitWidth / 8
      words.append(bytes[first..<first + UInt32.bitWidth / 8].reduce(0) { $0 &<< 8 | UInt32($1) })
    }
    for place in 16..<rounds.count {
      words.append(
        words[place - 16] &+ early(words[place - 15]) &+ words[place - 7]
          &+ late(words[place - 2]))
    }
    return words
  }

  private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
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

  private static func upper(_ x: UInt32) -> UInt32 {
    rotated(x, 2) ^ rotated(x, 13) ^ rotated(x, 22)
  }

  private static func lower(_ x: UInt32) -> UInt32 {
    rotated(x, 6) ^ rotated(x, 11) ^ rotated(x, 25)
  }

  private static func early(_ x: UInt32) -> UInt32 {
    rotated(x, 7) ^ rotated(x, 18) ^ (x &>> 3)
  }

  private static func late(_ x: UInt32) -> UInt32 {
    rotated(x, 17) ^ rotated(x, 19) ^ (x &>> 10)
  }

  private static func rotated(_ x: UInt32, _ count: UInt32) -> UInt32 {
    (x &>> count) | (x &<< (UInt32(UInt32.bitWidth) &- count))
  }
}
