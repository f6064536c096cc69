import StoreCore
import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values that help to find errors: the smallest and greatest integers that the type and the validation of an attribute
/// allow, and unusual texts.
enum ExtremeValue {
  /// Returns a random value. One in four integers is a bound, or the number closest to zero.
  ///
  /// - Parameter other: A type that the value must be convertible to.
  static func random(
    _ attribute: AttributeDescription, as other: AttributeType?, using random: inout SeedRandom
  ) -> DataValue {
    if let other, let value = convertible(attribute, to: other, &random) { return value }
    return switch attribute.type {
    case .integer16, .integer32, .integer64:
      integer(attribute, attribute.type.integerBounds, &random)
    case .boolean: .boolean(Bool.random(using: &random))
    case .decimal: .double(Double(Int64.random(in: -9999...9999, using: &random)) / 4)
    case .double: .double(bounded(Double.random(in: -1e6...1e6, using: &random), attribute))
    case .float:
      .double(Double(Float(bounded(Double.random(in: -1e6...1e6, using: &random), attribute))))
    case .date: .date(Double(Int64.random(in: 0...900_000_000, using: &random)) + 0.25)
    case .string: text(attribute, &random)
    case .uri: .string("https://example.org/\(UInt16.random(in: 0...UInt16.max, using: &random))")
    case .uuid: .uuid(.seeded(random.next(), random.next()))
    case .binary, .transformable, .undefined, .objectID, .composite:
      .binary(
        (0..<Int.random(in: 0...24, using: &random)).map { _ in
          UInt8(truncatingIfNeeded: random.next())
        })
    }
  }

  /// Returns a value that is convertible to another type, or nil if a random value can be used.
  private static func convertible(
    _ attribute: AttributeDescription, to other: AttributeType, _ random: inout SeedRandom
  ) -> DataValue? {
    let number = Int64.random(in: 0...(other == .boolean ? 1 : 100), using: &random)
    switch (attribute.type, other) {
    case (_, .string): return nil
    case (.string, _): return .string(text(of: number, as: other))
    case (.integer16, _), (.integer32, _), (.integer64, _):
      return integer(attribute, 0...number, &random)
    case (.decimal, _), (.double, _), (.float, _):
      return .double(bounded(Double(number), attribute))
    default: return nil
    }
  }

  /// Returns a text that can be converted to another type.
  static func text(of number: Int64, as other: AttributeType) -> String {
    switch other {
    case .date: ISODate.text(Double(number) * Double(ISODate.secondsPerDay)) ?? ""
    case .uuid: UUID.seeded(1, UInt64(bitPattern: number)).uuidString
    case .uri: "https://example.org/\(number)"
    default: "\(number)"
    }
  }

  private static func integer(
    _ attribute: AttributeDescription, _ range: ClosedRange<Int64>, _ random: inout SeedRandom
  ) -> DataValue {
    var (low, high) = (range.lowerBound, range.upperBound)
    if case .integer(let minimum)? = attribute.validation.minimum { low = max(low, minimum) }
    if case .integer(let maximum)? = attribute.validation.maximum { high = min(high, maximum) }
    guard low < high else { return .integer(low) }
    let edges = [low, high, min(max(0, low), high)]
    return .integer(
      random.oneIn(4)
        ? edges.randomElement(using: &random) ?? low : .random(in: low...high, using: &random))
  }

  private static func bounded(_ number: Double, _ attribute: AttributeDescription) -> Double {
    var number = number
    if case .double(let minimum)? = attribute.validation.minimum { number = max(number, minimum) }
    if case .double(let maximum)? = attribute.validation.maximum { number = min(number, maximum) }
    return number
  }

  private static func text(_ attribute: AttributeDescription, _ random: inout SeedRandom)
    -> DataValue
  {
    let words = ["Ray", "Zoë", "O'Brien", "名前", "", "null", "a\nb", "12", "e\u{301}", "true"]
    var text = words.randomElement(using: &random) ?? ""
    if random.oneIn(2) { text += " \(UInt16.random(in: 0...UInt16.max, using: &random))" }
    if case .integer(let least)? = attribute.validation.minimum {
      while text.count < least, text.count < 64 { text += "x" }
    }
    if case .integer(let most)? = attribute.validation.maximum, most >= 0 {
      text = String(text.prefix(Int(most)))
    }
    return .string(text)
  }
}
