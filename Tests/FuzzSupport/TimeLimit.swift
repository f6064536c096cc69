import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A limit on the time of a search. An input that exceeds it is considered to be an infinite loop.
public enum TimeLimit {
  /// The seconds in addition to the time of the search.
  private static let patience = 180.0
  /// The seconds for a search that is limited by a number of runs.
  private static let withoutDeadline = 3_600.0

  /// Ends this process by SIGALRM if a search of `seconds` exceeds its limit.
  public static func start(_ seconds: Double) {
    let limit = seconds.isFinite ? max(0, seconds) + patience : withoutDeadline
    alarm(UInt32(min(limit, 1e9)))
  }
}
