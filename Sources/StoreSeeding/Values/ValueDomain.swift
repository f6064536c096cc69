import StoreCore
import StoreModel
import StorePredicate
import SQLiteAccess

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The values of an attribute, which are numbered so that unique values can be generated.
enum ValueDomain: Sendable {
  case boolean
  /// The values from `base` up, followed by the values below it.
  case integers(ClosedRange<Int64>, base: Int64)
  /// The values `low`, `low + step` and so on.
  case steps(low: Double, step: Double, count: UInt64, isDate: Bool)
  /// Words with the number at the end or, in an email address, before the @.
  case numberedText(TextKind, length: ClosedRange<Int>)
  /// Texts of digits and capital letters, with a fixed length.
  case code(length: Int)
  case pattern(PatternText, TextRules)
  case uuid(seed: UInt64)
  case bytes
  /// An archived text that contains the number.
  case archive(seed: UInt64)

  /// Texts contain words if their maximum length is at least this. Otherwise, they are codes.
  private static let shortest = 16

  init?(_ attribute: AttributeDescription, rules: TextRules, seed: UInt64) {
    switch attribute.type {
    case .boolean: self = .boolean
    case .integer16, .integer32, .integer64:
      guard let range = attribute.integerRange else { return nil }
      self = .integers(range, base: min(max(1, range.lowerBound), range.upperBound))
    case .decimal, .double, .float:
      guard let domain = Self.numbers(attribute) else { return nil }
      self = domain
    case .date:
      guard let range = attribute.range(SeedDates.first...SeedDates.last) else { return nil }
      let step = range.upperBound - range.lowerBound < 1e7 ? 0.001 : 1
      self = Self.steps(range, step: step, isDate: true)
    case .string, .uri:
      guard rules.length.lowerBound <= rules.length.upperBound else { return nil }
      if let pattern = rules.pattern {
        self = .pattern(pattern, rules)
      } else if rules.length.upperBound < Self.shortest {
        self = .code(length: max(rules.length.lowerBound, min(rules.length.upperBound, 12)))
      } else {
        self = .numberedText(TextKind(attribute), length: rules.length)
      }
    case .uuid: self = .uuid(seed: seed)
    case .binary: self = .bytes
    case .transformable: self = .archive(seed: seed)
    case .undefined, .objectID, .composite: return nil
    }
  }

  private static func numbers(_ attribute: AttributeDescription) -> ValueDomain? {
    let limit = attribute.type == .float ? 16_000_000.0 : 1e15
    guard let range = attribute.range(0...limit) else { return nil }
    if range.upperBound - range.lowerBound >= 1e6 {
      let low = range.lowerBound.rounded(.up)
      let whole = low...max(low, range.upperBound.rounded(.down))
      return steps(whole, step: 1, isDate: false)
    }
    // A fraction that binary numbers represent exactly.
    let step = attribute.type == .float ? 1.0 / 16 : 1.0 / 4_294_967_296
    return steps(
      (range.lowerBound / step).rounded(.up) * step...range.upperBound, step: step, isDate: false)
  }

  private static func steps(
    _ range: ClosedRange<Double>, step: Double, isDate: Bool
  ) -> ValueDomain {
    let count = (range.upperBound - range.lowerBound) / step
    return .steps(
      low: range.lowerBound, step: step, count: UInt64(max(0, min(count, 1e18))) + 1, isDate: isDate
    )
  }

  /// The number of values, at most `limit`.
  var count: UInt64 {
    switch self {
    case .boolean: 2
    case .integers(let range, _):
      range.lowerBound < 0 && range.upperBound > range.lowerBound &+ Int64.max
        ? Self.limit
        : min(Self.limit, UInt64(bitPattern: range.upperBound &- range.lowerBound) &+ 1)
    case .steps(_, _, let count, _): min(Self.limit, count)
    case .code(let length): Self.power(36, length)
    case .pattern(let pattern, _): min(Self.limit, pattern.count)
    case .numberedText, .uuid, .bytes, .archive: Self.limit
    }
  }

  static let limit = UInt64(1) << 50

  /// Returns the product, at most `limit`.
  static func product(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let (product, overflow) = one.multipliedReportingOverflow(by: other)
    return overflow ? limit : min(limit, product)
  }

  /// Returns the power, at most `limit`.
  static func power(_ base: UInt64, _ exponent: Int) -> UInt64 {
    if base < 2 { return exponent == 0 ? 1 : base }
    var result: UInt64 = 1
    for _ in 0..<exponent where result < limit { result = product(result, base) }
    return result
  }

  /// Returns the value with this number.
  ///
  /// - Parameter random: The generator of the part of the value that doesn't have to be unique.
  func value(_ number: UInt64, _ random: inout SeedRandom) -> DataValue {
    switch self {
    case .boolean: return .boolean(number == 1)
    case .integers(let range, let base):
      let above = UInt64(bitPattern: range.upperBound &- base)
      return .integer(
        number <= above
          ? base &+ Int64(bitPattern: number) : base &- Int64(bitPattern: number - above))
    case .steps(let low, let step, _, let isDate):
      let value = low + Double(number) * step
      return isDate ? .date(value) : .double(value)
    case .numberedText(let kind, let length):
      return .string(kind.text(number: number + 1, length: length, &random))
    case .code(let length): return .string(Self.code(number, length))
    case .pattern(let pattern, _): return .string(pattern.text(number))
    case .uuid(let seed):
      var high = SeedRandom(seed: seed &+ number)
      return .uuid(.seeded(high.next(), number))
    case .bytes: return .binary(Array("seed \(number)".utf8))
    case .archive(let seed): return .binary(SeedArchive.bytes(of: "\(seed) \(number)"))
    }
  }

  /// Returns the number of an existing value. Returns nil if the value doesn't have a number, or if the number can't be
  /// determined, as for UUIDs, archives and patterns.
  func number(of value: SQLiteValue) -> UInt64? {
    switch (self, value) {
    case (.boolean, .integer(let flag)): return flag == 0 ? 0 : 1
    case (.integers(let range, let base), .integer(let number)):
      guard range.contains(number) else { return nil }
      if number >= base { return UInt64(bitPattern: number &- base) }
      return UInt64(bitPattern: range.upperBound &- base) + UInt64(bitPattern: base &- number)
    case (.steps(let low, let step, let count, _), _):
      guard let stored = value.number else { return nil }
      let number = ((stored - low) / step).rounded()
      return number >= 0 && number < Double(count) ? UInt64(number) : nil
    case (.numberedText, .text(let text)):
      return TextKind.number(in: text).flatMap { $0 > 0 ? $0 - 1 : nil }
    case (.code(let length), .text(let text)):
      return text.utf8.count == length ? UInt64(text, radix: 36) : nil
    case (.bytes, .blob(let bytes)):
      return UInt64(String(decoding: bytes, as: UTF8.self).split(separator: " ").last ?? "")
    default: return nil
    }
  }

  private static func code(_ number: UInt64, _ length: Int) -> String {
    let text = String(number, radix: 36, uppercase: true)
    return String(repeating: "0", count: max(0, length - text.utf8.count)) + text
  }
}

extension UUID {
  /// Returns a UUID of version 4, like `UUID()`: https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-4
  static func seeded(_ high: UInt64, _ low: UInt64) -> UUID {
    let marked = (high & ~0xF000) | 0x4000
    let variant = (low & ~(3 << 62)) | (2 << 62)
    let bytes = withUnsafeBytes(of: (marked.bigEndian, variant.bigEndian)) { Array($0) }
    return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
  }
}

extension AttributeDescription {
  /// The integers of the attribute's type within its bounds, or nil if there are none.
  var integerRange: ClosedRange<Int64>? {
    var (low, high) = (type.integerBounds.lowerBound, type.integerBounds.upperBound)
    switch validation.minimum {
    case .integer(let bound)?: low = max(low, bound)
    case .double(let bound)?: low = max(low, Int64(saturating: bound.rounded(.up)))
    default: break
    }
    switch validation.maximum {
    case .integer(let bound)?: high = min(high, bound)
    case .double(let bound)?: high = min(high, Int64(saturating: bound.rounded(.down)))
    default: break
    }
    return low <= high ? low...high : nil
  }

  /// Returns the range between the attribute's bounds. Missing bounds are derived from `preferred`. Returns nil if the
  /// minimum exceeds the maximum.
  func range(_ preferred: ClosedRange<Double>) -> ClosedRange<Double>? {
    let (minimum, maximum) = (validation.minimum?.bound, validation.maximum?.bound)
    let width = preferred.upperBound - preferred.lowerBound
    let low =
      minimum ?? maximum.map { $0 > preferred.lowerBound ? preferred.lowerBound : $0 - width }
    let start = low ?? preferred.lowerBound
    let end = maximum ?? (start < preferred.upperBound ? preferred.upperBound : start + width)
    return start <= end ? start...end : nil
  }
}

extension DataValue {
  fileprivate var bound: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number), .date(let number): number
    case .null, .boolean, .string, .uuid, .binary, .objectID: nil
    }
  }
}

extension Int64 {
  fileprivate init(saturating number: Double) {
    self = Int64(exactly: number) ?? (number < 0 ? .min : .max)
  }
}
