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
  /// Stops runs of a command at random moments, one from each of `count` equal parts of its duration, the last part
  /// first. If a run ends before its moment, the duration is reduced to the moment: on a busy machine, the run that was
  /// measured can take several times as long as the next ones.
  ///
  /// - Parameters:
  ///   - duration: the measured duration of a whole run.
  ///   - isStopped: stops a run at a moment, and returns whether the run was still in progress.
  /// - Returns: the number of stopped runs.
  public mutating func stops(
    _ count: Int, within duration: Duration, _ isStopped: (Duration) throws -> Bool
  ) rethrows -> Int {
    var duration = duration
    var stopped = 0
    for part in (0..<count).reversed() {
      let fraction = (Double(part) + Double.random(in: 0..<1, using: &self)) / Double(count)
      let moment = duration * fraction
      if try isStopped(moment) { stopped += 1 } else { duration = moment }
    }
    return stopped
  }
}
