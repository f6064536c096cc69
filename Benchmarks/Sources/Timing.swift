import Foundation

/// Measured times in milliseconds.
struct Samples {
  private(set) var values: [Double] = []

  mutating func append(_ value: Double) { values.append(value) }

  mutating func append(contentsOf other: Samples) { values += other.values }

  var median: Double { quantile(0.5) }
  var worst: Double { values.max() ?? 0 }

  func quantile(_ share: Double) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }
}

/// The wall-clock time and the CPU time of one run, in milliseconds.
struct Cost {
  var wall = 0.0
  var cpu = 0.0

  static func of(_ work: () async throws -> Void) async throws -> Cost {
    let clock = ContinuousClock()
    let start = clock.now
    let cpu = processorTime()
    try await work()
    return Cost(wall: (clock.now - start).inMilliseconds, cpu: processorTime() - cpu)
  }
}

/// Returns the CPU time of all threads of this process, in milliseconds.
func processorTime() -> Double { Double(clock()) * 1_000 / Double(CLOCKS_PER_SEC) }

extension Duration {
  var inMilliseconds: Double {
    Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15
  }
}

extension String {
  func padded(_ width: Int) -> String {
    count < width ? self + String(repeating: " ", count: width - count) : self
  }

  func leftPadded(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

extension Double {
  func digits(_ digits: Int, width: Int = 0) -> String {
    String(format: "%.\(digits)f", self).leftPadded(width)
  }
}
