extension SeededGenerator {
  /// - Parameter number: the number of the case. Each case has its own sequence, independent of earlier cases.
  public init(seed: UInt64, case number: Int) {
    self.init(
      seed: seed &* 0x2545_F491_4F6C_DD1D &+ UInt64(number) &* 0x9E6C_63D0_876A_9B37)
    _ = next()
  }

  public mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(below(256)) }
  }
}

extension SeededGenerator {
  /// Draws a moment from each of `count` equal parts of a duration.
  public mutating func moments(_ count: Int, within duration: Duration) -> [Duration] {
    (0..<count).map { part in
      duration * ((Double(part) + Double.random(in: 0..<1, using: &self)) / Double(count))
    }
  }
}
