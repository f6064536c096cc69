import StoreModel
import StorePredicate

/// The meaning of a number, according to the name of its attribute. For example, an `age` is less than 100, and a
/// `price` has cents.
enum NumberKind: Hashable, Sendable {
  case age, year, price, latitude, longitude, rating, percent, share, size, amount

  private static let words: [(String, NumberKind)] = [
    ("latitude", .latitude), ("longitude", .longitude), ("rating", .rating), ("stars", .rating),
    ("percent", .percent), ("progress", .share), ("ratio", .share), ("alpha", .share),
    ("price", .price), ("cost", .price), ("total", .price), ("salary", .price), ("fee", .price),
    ("balance", .price), ("year", .year), ("width", .size), ("height", .size), ("size", .size),
    ("bytes", .size), ("duration", .size), ("distance", .size),
  ]

  init(_ attribute: AttributeDescription) {
    let name = attribute.name.lowercased()
    self =
      switch name {
      case "lat": .latitude
      case "lon", "lng": .longitude
      case "age": .age
      default:
        Self.words.first { name.contains($0.0) }?.1
          ?? (attribute.name.hasSuffix("Age") ? .age : .amount)
      }
  }

  /// The range of the values, and the distance between them.
  private var scale: (range: ClosedRange<Double>, step: Double) {
    switch self {
    case .age: (0...99, 1)
    case .year: (1950...2025, 1)
    case .price: (0.5...999.5, 0.01)
    case .latitude: (-85...85, 0.0001)
    case .longitude: (-180...180, 0.0001)
    case .rating: (0...5, 0.5)
    case .percent: (0...100, 1)
    case .share: (0...1, 0.01)
    case .size: (1...4000, 1)
    case .amount: (0...1000, 0.25)
    }
  }

  /// Returns a number within the bounds of the attribute.
  func number(in bounds: ClosedRange<Double>, _ random: inout SeedRandom) -> Double {
    let (range, step) = scale
    let low = max(range.lowerBound, bounds.lowerBound)
    let high = min(range.upperBound, bounds.upperBound)
    // If the bounds exclude the usual range, the name has another meaning in this model.
    guard low <= high else { return Self.number(between: bounds, &random) }
    let count = ((high - low) / step).rounded(.down)
    return min(high, ((low + Double(random.below(Int(count) + 1)) * step) / step).rounded() * step)
      .clamped(to: bounds)
  }

  func integer(in bounds: ClosedRange<Int64>, _ random: inout SeedRandom) -> Int64 {
    let (range, _) = scale
    let low = max(Int64(range.lowerBound), bounds.lowerBound)
    let high = min(Int64(range.upperBound), bounds.upperBound)
    guard low <= high else {
      return Int64.random(in: bounds.nearest(1_000), using: &random)
    }
    return low + Int64(random.below(Int(high - low) + 1))
  }

  private static func number(
    between bounds: ClosedRange<Double>, _ random: inout SeedRandom
  ) -> Double {
    let share = Double(random.below(1_001)) / 1_000
    let width = min(bounds.upperBound - bounds.lowerBound, 1_000)
    return (bounds.lowerBound + width * share).clamped(to: bounds)
  }
}

extension Double {
  func clamped(to bounds: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, bounds.lowerBound), bounds.upperBound)
  }
}

extension ClosedRange<Int64> {
  /// The part of the range that is closest to zero, with a maximum width. If the range contains zero, negative numbers
  /// are left out.
  fileprivate func nearest(_ width: Int64) -> ClosedRange<Int64> {
    if lowerBound >= 0 {
      let (end, overflow) = lowerBound.addingReportingOverflow(width)
      return lowerBound...(overflow ? upperBound : Swift.min(upperBound, end))
    }
    if upperBound <= 0 {
      let (start, overflow) = upperBound.subtractingReportingOverflow(width)
      return (overflow ? lowerBound : Swift.max(lowerBound, start))...upperBound
    }
    return 0...Swift.min(upperBound, width)
  }
}

/// The dates of generated values. They are fixed, so that the same seed creates the same rows in the future.
enum SeedDates {
  /// 2001-01-01
  static let first = 0.0
  /// 2030-01-01
  static let last = 915_148_800.0
  /// 2026-01-01
  private static let now = 788_918_400.0
  private static let year = 31_557_600.0

  /// Returns the range for an attribute, according to its name: birth dates are 18 to 80 years before 2026, due dates
  /// are in 2026, and other dates are in the three years before.
  static func range(for name: String) -> ClosedRange<Double> {
    let name = name.lowercased()
    if name.contains("birth") || name.contains("born") {
      return (now - 80 * year)...(now - 18 * year)
    }
    let isToCome = ["due", "expir", "until", "deadline", "next", "remind"].contains {
      name.contains($0)
    }
    return isToCome ? now...(now + year) : (now - 3 * year)...now
  }
}
