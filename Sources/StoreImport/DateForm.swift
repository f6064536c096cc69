import StorePredicate

/// How the dates of one attribute are written.
struct DateForm {
  let pattern: DatePattern
  /// The model's `UnixTime`: MagicalRecord means milliseconds by it, others mean seconds. The magnitude of each number decides.
  var isOfEitherUnit = false

  /// From this number of seconds on, more than 3,000 years after 1970, a number is milliseconds. As milliseconds it is in 1973.
  private static let leastMilliseconds = 1e11

  private static let secondsFrom1970To2001 = 978_307_200.0

  /// Seconds since 2001 of a date in this form, or in the one that `export` writes; nil for other text.
  ///
  /// - Parameter counts: takes the unit of numbers that may be of either.
  func importedSeconds(
    _ bytes: UnsafeBufferPointer<UInt8>, counts: inout DateCounts
  ) -> Double? {
    guard let seconds = pattern.seconds(utf8: bytes) else { return Self.exportedSeconds(bytes) }
    guard isOfEitherUnit else { return seconds }
    guard (seconds + Self.secondsFrom1970To2001).magnitude >= Self.leastMilliseconds,
      let milliseconds = DatePattern.unixTimeMilliseconds.seconds(utf8: bytes)
    else {
      counts.seconds += 1
      return seconds
    }
    counts.milliseconds += 1
    return milliseconds
  }

  private static func exportedSeconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    // Only what can't be meant otherwise: a date alone could have its day and month swapped.
    guard bytes.last == UInt8(ascii: "Z"), bytes.contains(UInt8(ascii: "T")) else { return nil }
    return ISODate.seconds(utf8: bytes)
  }
}

/// What is remarkable about the dates of an attribute.
package struct DateCounts: Hashable, Sendable {
  /// Numbers that were read as seconds or milliseconds since 1970 because of their magnitude.
  package var seconds = 0
  package var milliseconds = 0
  /// Dates after the year 9999, which are mostly of another unit.
  package var late = 0

  /// 10000-01-01 in seconds since 2001.
  private static let lateSeconds = 252_423_993_600.0

  mutating func note(_ seconds: Double) {
    if seconds >= Self.lateSeconds { late += 1 }
  }

  /// Whether a note says something about them.
  var isRemarkable: Bool { milliseconds > 0 || late > 0 }
}
