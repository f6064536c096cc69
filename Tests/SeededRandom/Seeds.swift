import Foundation

/// The seeds of a randomized test: its default seeds, or the seeds in an environment variable.
///
///     DIFFERENTIAL_SEEDS=17 swift test --filter DifferentialTests           one again
///     DIFFERENTIAL_SEEDS=1000-2000 swift test --filter DifferentialTests    further ones
public enum Seeds {
  public static func named(
    _ variable: String, otherwise own: ClosedRange<UInt64>
  ) -> ClosedRange<UInt64> {
    let written = ProcessInfo.processInfo.environment[variable] ?? ""
    let bounds = written.split(separator: "-").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else {
      return own.lowerBound...own.lowerBound + UInt64(Soak.times(own.count)) - 1
    }
    return first...last
  }
}

/// The number of repetitions of a test: a small number in CI, and `STORETOOL_SOAK` times that number in `Scripts/soak`.
public enum Soak {
  private static let factor =
    ProcessInfo.processInfo.environment["STORETOOL_SOAK"].flatMap { Int($0) } ?? 1

  /// - Parameter count: the number of repetitions in CI.
  public static func times(_ count: Int) -> Int { count * max(1, factor) }

  /// Returns every `step`th element in CI, beginning at index `first`, and all elements in `Scripts/soak`.
  public static func sample<Element>(
    of all: [Element], every step: Int, from first: Int = 0
  ) -> [Element] {
    factor > 1 ? all : stride(from: first, to: all.count, by: step).map { all[$0] }
  }
}
