import StoreLayout

/// The source of replacements. A replacement depends only on the secret key, the kind of replacement and the value, so
/// that equal values have equal replacements everywhere.
package struct ValueSource: Sendable {
  private let digest: KeyedDigest

  /// - Parameter key: a secret, because original values can be found with it.
  package init(key: [UInt8]) {
    digest = KeyedDigest(key: key)
  }

  /// Returns the random numbers for a value.
  ///
  /// - Parameters:
  ///   - purpose: the kind of the replacement.
  ///   - value: the value. Empty for numbers that don't depend on it.
  func draw(for purpose: String, _ value: [UInt8] = []) -> Draw {
    // The length at the start ensures that different pairs of purpose and value result in different messages.
    Draw(digest, seed: digest.digest(of: [UInt8(purpose.utf8.count)] + purpose.utf8 + value))
  }
}

/// An infinite sequence of numbers that depend on a seed.
struct Draw {
  private let digest: KeyedDigest
  private let seed: [UInt8]
  private var block: [UInt8]
  private var used = 0
  private var blocks: UInt64 = 0

  fileprivate init(_ digest: KeyedDigest, seed: [UInt8]) {
    self.digest = digest
    self.seed = seed
    block = seed
  }

  mutating func byte() -> UInt8 {
    if used == block.count {
      blocks += 1
      block = digest.digest(
        of: seed + (0..<8).map { UInt8(truncatingIfNeeded: blocks >> ($0 * 8)) })
      used = 0
    }
    defer { used += 1 }
    return block[used]
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

  mutating func number() -> UInt64 { bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }

  /// Returns a number from 0 to less than `bound`. With 64 bits, the bias is negligible.
  mutating func number(below bound: UInt64) -> UInt64 { bound == 0 ? 0 : number() % bound }

  mutating func element<Element>(of list: [Element]) -> Element {
    list[Int(number(below: UInt64(list.count)))]
  }
}
