/// SplitMix64: the same seed gives the same cases on every machine.
struct Randomness {
  private var state: UInt64

  /// - Parameter number: of the case; each has numbers of its own, and can be made without the ones before it.
  init(seed: UInt64, case number: Int) {
    state = seed &* 0x2545_F491_4F6C_DD1D &+ UInt64(number) &* 0x9E6C_63D0_876A_9B37
    _ = below(2)
  }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(below(256)) }
  }
}
