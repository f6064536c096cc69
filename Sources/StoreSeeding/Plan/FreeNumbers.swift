/// The numbers from 0 on that no row has, in order.
struct FreeNumbers: Hashable, Sendable {
  /// Ascending, with gaps between them.
  private let taken: [ClosedRange<UInt64>]
  /// Where the free numbers of `lastRange` begin, and how many there are before.
  private var range = 0
  private var skipped: UInt64 = 0

  init(taken numbers: [UInt64]) {
    var ranges: [ClosedRange<UInt64>] = []
    for number in numbers.sorted() {
      guard let last = ranges.last, number <= last.upperBound &+ 1 else {
        ranges.append(number...number)
        continue
      }
      ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, number)
    }
    taken = ranges
  }

  /// How many numbers below a limit are taken.
  func takenCount(below limit: UInt64) -> UInt64 {
    taken.reduce(0) { count, range in
      range.lowerBound >= limit
        ? count : count + min(range.upperBound, limit - 1) - range.lowerBound + 1
    }
  }

  /// The free number behind `index` others; indexes only rise.
  mutating func number(at index: UInt64) -> UInt64 {
    while range < taken.count, taken[range].lowerBound <= index + skipped {
      skipped += taken[range].upperBound - taken[range].lowerBound + 1
      range += 1
    }
    return index + skipped
  }
}
