/// Replaces whole numbers by others of the same sign and about the same size, each by one of its own.
///
/// A number that fits 15, 31 or 63 bits gets one that does, too, whatever the attribute's type, so that equal numbers
/// stay equal where one attribute is an Integer 16 and another an Integer 64.
struct NumberPermutation {
  let source: ValueSource

  func permuted(_ number: Int64) -> Int64 {
    // ~ maps the negative numbers to the others, the lowest one too.
    number < 0 ? ~permuted(magnitude: ~number) : permuted(magnitude: number)
  }

  private func permuted(magnitude: Int64) -> Int64 {
    let number = UInt64(magnitude)
    let (below, bits): (UInt64, Int) =
      switch number {
      case 0..<1 << 15: (0, 16)
      case 0..<1 << 31: (1 << 15, 32)
      default: (1 << 31, 64)
      }
    let range = below..<(bits == 64 ? 1 << 63 : 1 << (UInt64(bits) - 1))
    // Walks on from what lies outside: https://doi.org/10.1007/3-540-45760-7_9, "cycle walking".
    var walked = number
    repeat { walked = permuted(walked, bits: bits) } while !range.contains(walked)
    return Int64(walked)
  }

  private static let rounds = 6

  /// A Feistel network over two halves of the bits.
  private func permuted(_ number: UInt64, bits: Int) -> UInt64 {
    let half = UInt64(bits / 2)
    let mask: UInt64 = (1 << half) - 1
    var (left, right) = (number >> half, number & mask)
    for round in 0..<Self.rounds {
      let bytes = (0..<8).map { UInt8(truncatingIfNeeded: right >> (UInt64($0) * 8)) }
      var draw = source.draw(for: "number \(bits) \(round)", bytes)
      (left, right) = (right, left ^ draw.number() & mask)
    }
    return left << half | right
  }
}
