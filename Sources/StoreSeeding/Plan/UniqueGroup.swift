import StoreModel
import StorePredicate

/// Attributes whose values, taken together, no two rows may share: each row gets a number, and its digits choose the
/// values.
struct UniqueGroup: Sendable {
  struct Carrier: Sendable {
    var property: String
    var domain: ValueDomain
  }

  /// Which the model wants to be unique, some perhaps without taking part in telling rows apart.
  let properties: [String]
  /// The entity that declares it: rows of all below it count.
  let entity: String
  let carriers: [Carrier]
  /// How many different ones there are.
  let capacity: UInt64
  private var free: FreeNumbers
  private var index: UInt64 = 0
  /// Of patterns, whose texts have no number to be known by.
  private let takenTexts: Set<String>

  /// - Parameters:
  ///   - taken: the numbers that rows of the store have.
  ///   - takenTexts: the texts that rows of the store have, where a pattern makes them.
  init(
    _ properties: [String], of entity: String, carriers: [Carrier], taken: [UInt64] = [],
    takenTexts: Set<String> = []
  ) {
    self.properties = properties
    self.entity = entity
    self.carriers = carriers
    capacity = Self.capacity(of: carriers.map(\.domain))
    free = FreeNumbers(taken: taken)
    self.takenTexts = takenTexts
  }

  static func capacity(of domains: [ValueDomain]) -> UInt64 {
    domains.reduce(1) { product, domain in
      let (next, overflow) = product.multipliedReportingOverflow(by: domain.count)
      return overflow ? ValueDomain.limit : min(next, ValueDomain.limit)
    }
  }

  /// How many more rows there may be.
  var room: UInt64 { capacity - min(capacity, free.takenCount(below: capacity)) }

  /// The number of a row that is there; nil where it has other values than numbers make.
  static func number(of values: [ValueDomain.Stored], _ carriers: [Carrier]) -> UInt64? {
    var (number, factor) = (0 as UInt64, 1 as UInt64)
    for (value, carrier) in zip(values, carriers) {
      guard let digit = carrier.domain.number(of: value) else { return nil }
      let (product, overflow) = digit.multipliedReportingOverflow(by: factor)
      guard !overflow, product < ValueDomain.limit else { return nil }
      number += product
      factor = min(ValueDomain.limit, factor &* carrier.domain.count)
    }
    return number
  }

  /// The values of the next row, in the order of the carriers; nil when there are no more.
  mutating func next(_ random: inout SeedRandom) -> [Value]? {
    for _ in 0..<Self.patience {
      let number = free.number(at: index)
      guard number < capacity else { return nil }
      index += 1
      var rest = number
      var values: [Value] = []
      for carrier in carriers {
        values.append(carrier.domain.value(rest % carrier.domain.count, &random))
        rest /= carrier.domain.count
      }
      if zip(carriers, values).allSatisfy({ isAllowed($1, by: $0.domain) }) { return values }
    }
    return nil
  }

  /// How many texts in a row of a pattern may be too long, say, or there already.
  private static let patience = 100_000

  private func isAllowed(_ value: Value, by domain: ValueDomain) -> Bool {
    guard case .pattern(_, let rules) = domain, case .string(let text) = value else { return true }
    return rules.allows(text) && !takenTexts.contains(text)
  }
}

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
