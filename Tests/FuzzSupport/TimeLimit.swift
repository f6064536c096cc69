import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A limit on the time of a search, beyond which an input is in a loop and no longer slow.
public enum TimeLimit {
  /// Seconds on top of the search's own.
  private static let patience = 180.0
  /// Seconds for a search that is limited by a number of runs.
  private static let withoutDeadline = 3_600.0

  /// Ends this process by SIGALRM when a search of `seconds` is overdue.
  public static func start(_ seconds: Double) {
    let limit = seconds.isFinite ? max(0, seconds) + patience : withoutDeadline
    alarm(UInt32(min(limit, 1e9)))
  }
}
