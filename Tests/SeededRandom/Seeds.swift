import Foundation

/// The seeds of a test that draws at random: its own, or those that an environment variable names.
///
///     DIFFERENTIAL_SEEDS=17 swift test --filter DifferentialTests           one again
///     DIFFERENTIAL_SEEDS=1000-2000 swift test --filter DifferentialTests    further ones
public enum Seeds {
  public static func named(
    _ variable: String, otherwise own: ClosedRange<UInt64>
  ) -> ClosedRange<UInt64> {
    let written = ProcessInfo.processInfo.environment[variable] ?? ""
    let bounds = written.split(separator: "-").compactMap { UInt64($0) }
    guard let first = bounds.first, let last = bounds.last, first <= last else { return own }
    return first...last
  }
}
