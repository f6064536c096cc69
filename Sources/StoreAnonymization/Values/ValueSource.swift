import StoreLayout

/// Where replacements come from: each follows from the key, the kind of replacement and the value, and from nothing else,
/// so that equal values get equal replacements wherever they stand.
package struct ValueSource: Sendable {
  private let digest: KeyedDigest

  /// - Parameter key: a secret; who has it can find out which value a replacement stands for.
  package init(key: [UInt8]) {
    digest = KeyedDigest(key: key)
  }

  /// What is drawn for a value.
  ///
  /// - Parameters:
  ///   - purpose: tells the kinds of replacements apart.
  ///   - value: nil for what is the same for all values.
  func draw(for purpose: String, _ value: [UInt8] = []) -> Draw {
    // A length in front: no two pairs of purpose and value give the same message.
    Draw(digest, seed: digest.digest(of: [UInt8(purpose.utf8.count)] + purpose.utf8 + value))
  }
}

/// An endless run of numbers that follow from a seed.
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

  /// From 0 up to, but without, `bound`; what 64 bits favor is too little to be seen.
  mutating func number(below bound: UInt64) -> UInt64 { bound == 0 ? 0 : number() % bound }

  mutating func element<Element>(of list: [Element]) -> Element {
    list[Int(number(below: UInt64(list.count)))]
  }
}
