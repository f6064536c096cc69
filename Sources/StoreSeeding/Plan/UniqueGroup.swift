import SQLiteAccess
import StoreModel
import StorePredicate

/// Attributes whose combination of values must be unique. The combination of a new row is encoded as one number. The
/// number has a digit for each `Carrier`, an attribute that varies from row to row. The base of the digit is the number
/// of values that the attribute can have.
struct UniqueGroup: Sendable {
  /// An attribute whose value is determined by a digit of the row's number.
  struct Carrier: Sendable {
    var property: String
    var domain: ValueDomain
  }

  /// The properties in the uniqueness constraint. Some of them may not have a `Carrier`.
  let properties: [String]
  /// The entity that declares the constraint. Rows of subentities must be unique, too.
  let entity: String
  let carriers: [Carrier]
  /// The number of distinct combinations, at most `ValueDomain.limit`.
  let capacity: UInt64
  private var free: FreeNumbers
  private var index: UInt64 = 0
  /// The existing texts of all carriers if an attribute has a pattern; otherwise empty. They are compared as texts,
  /// because they can't be converted to numbers.
  private let takenTexts: Set<String>

  /// - Parameters:
  ///   - taken: The numbers that encode the existing rows.
  ///   - takenTexts: The texts of the existing rows, if an attribute has a pattern.
  init(
    _ properties: [String], of entity: String, carriers: [Carrier], taken: [UInt64] = [],
    takenTexts: Set<String> = []
  ) {
    self.properties = properties
    self.entity = entity
    self.carriers = carriers
    capacity = carriers.reduce(1) { ValueDomain.product($0, $1.domain.count) }
    free = FreeNumbers(taken: taken)
    self.takenTexts = takenTexts
  }

  /// The number of combinations that existing rows don't use. Combinations in `takenTexts` aren't subtracted.
  var room: UInt64 { capacity - min(capacity, free.takenCount(below: capacity)) }

  /// Returns the number of an existing row, or nil if its values don't have a number.
  static func number(of values: [SQLiteValue], _ carriers: [Carrier]) -> UInt64? {
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

  /// Returns the values of the next row in the order of the carriers, or nil if no more values are found.
  mutating func next(_ random: inout SeedRandom) -> [DataValue]? {
    for _ in 0..<Self.patience {
      let number = free.number(at: index)
      guard number < capacity else { return nil }
      index += 1
      var rest = number
      var values: [DataValue] = []
      for carrier in carriers {
        values.append(carrier.domain.value(rest % carrier.domain.count, &random))
        rest /= carrier.domain.count
      }
      if zip(carriers, values).allSatisfy({ isAllowed($1, by: $0.domain) }) { return values }
    }
    return nil
  }

  /// The number of consecutive texts that may be rejected, for example because they are too long or exist already.
  private static let patience = 100_000

  private func isAllowed(_ value: DataValue, by domain: ValueDomain) -> Bool {
    guard case .pattern(_, let rules) = domain, case .string(let text) = value else { return true }
    return rules.allows(text) && !takenTexts.contains(text)
  }
}

/// The numbers without an existing row, starting at 0.
struct FreeNumbers: Hashable, Sendable {
  /// The existing numbers as ascending ranges with gaps between them.
  private let taken: [ClosedRange<UInt64>]
  /// The index of the next taken range, and the number of taken numbers before it.
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

  func takenCount(below limit: UInt64) -> UInt64 {
    taken.reduce(0) { count, range in
      range.lowerBound >= limit
        ? count : count + min(range.upperBound, limit - 1) - range.lowerBound + 1
    }
  }

  /// Returns the free number at an index. The index must not decrease between calls.
  mutating func number(at index: UInt64) -> UInt64 {
    while range < taken.count, taken[range].lowerBound <= index + skipped {
      skipped += taken[range].upperBound - taken[range].lowerBound + 1
      range += 1
    }
    return index + skipped
  }
}
