/// A generator that returns the same numbers for the same seed on all machines (SplitMix64).
struct SeedRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Creates a separate stream for each name and number, so that the values of an entity don't depend on other
  /// entities.
  init(seed: UInt64, name: String, number: Int64 = 0) {
    // FNV-1a
    var mixed = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    mixed ^= UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
    var first = SeedRandom(seed: seed ^ mixed)
    self.init(seed: first.next())
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns true with a probability of 1 in `count`.
  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// Returns a number in 0..<count. This is faster than `Int.random(in:using:)`, and its bias is negligible for numbers
  /// of rows.
  mutating func below(_ count: Int) -> Int {
    Int(truncatingIfNeeded: UInt64(count).multipliedFullWidth(by: next()).high)
  }

  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}
