/// Replaces whole numbers by others with the same sign and the same smallest type among Int16, Int32 and Int64.
/// Different numbers have different replacements, and no number keeps its value.
///
/// The smallest type is used instead of the attribute's type, so that equal numbers remain equal if one attribute is an
/// Integer 16 and another one an Integer 64.
struct NumberPermutation {
  let source: ValueSource

  func permuted(_ number: Int64) -> Int64 {
    // `~` maps all negative numbers, including the lowest one, to the numbers from 0.
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
    let end: UInt64 = 1 << (UInt64(bits) - 1)
    let mixed = walked(from: number, in: below..<end, bits: bits)
    // An offset of at least 1 between a permutation and its inverse ensures that no number keeps its value.
    var draw = source.draw(for: "number \(bits) turn")
    let distance = 1 + draw.number(below: end - below - 1)
    let turned = below + (mixed - below + distance) % (end - below)
    return Int64(walked(from: turned, in: below..<end, bits: bits, isInverse: true))
  }

  /// Permutes until the result is in the range ("cycle walking"): https://doi.org/10.1007/3-540-45760-7_9.
  private func walked(
    from number: UInt64, in range: Range<UInt64>, bits: Int, isInverse: Bool = false
  ) -> UInt64 {
    var walked = number
    repeat {
      walked = isInverse ? restored(walked, bits: bits) : permuted(walked, bits: bits)
    } while !range.contains(walked)
    return walked
  }

  private static let rounds = 6

  /// A Feistel network with two halves of the bits.
  private func permuted(_ number: UInt64, bits: Int) -> UInt64 {
    var (left, right) = halves(of: number, bits: bits)
    for round in 0..<Self.rounds {
      (left, right) = (right, left ^ digest(of: right, bits: bits, round: round))
    }
    return left << UInt64(bits / 2) | right
  }

  /// Returns the number that `permuted` maps to this one.
  private func restored(_ number: UInt64, bits: Int) -> UInt64 {
    var (left, right) = halves(of: number, bits: bits)
    for round in (0..<Self.rounds).reversed() {
      (left, right) = (right ^ digest(of: left, bits: bits, round: round), left)
    }
    return left << UInt64(bits / 2) | right
  }

  private func halves(of number: UInt64, bits: Int) -> (left: UInt64, right: UInt64) {
    (number >> UInt64(bits / 2), number & mask(bits: bits))
  }

  private func mask(bits: Int) -> UInt64 { (1 << UInt64(bits / 2)) - 1 }

  private func digest(of half: UInt64, bits: Int, round: Int) -> UInt64 {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: half >> (UInt64($0) * 8)) }
    var draw = source.draw(for: "number \(bits) \(round)", bytes)
    return draw.number() & mask(bits: bits)
  }
}
