/// Equal numbers for an equal seed, on every machine: SplitMix64.
struct SeedRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// A stream of its own for each name and number, so that the values of one entity don't depend on the others.
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

  /// True once in `count` times.
  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// One of 0..<count; faster than the standard library's, and hardly less even for counts of rows.
  mutating func below(_ count: Int) -> Int {
    Int(truncatingIfNeeded: UInt64(count).multipliedFullWidth(by: next()).high)
  }

  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}
