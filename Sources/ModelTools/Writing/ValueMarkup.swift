import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values as the text of an XML attribute.
enum ValueMarkup {
  /// The text; nil for what model XML has no text for.
  static func text(of value: Value, as type: AttributeType) -> String? {
    switch value {
    case .null, .binary: nil
    case .boolean(let flag): flag ? "YES" : "NO"
    case .integer(let number): number.description
    case .double(let number): text(of: number, as: type)
    case .string(let text): text
    case .date(let seconds): text(ofSeconds: seconds)
    case .uuid(let uuid): uuid.uuidString
    case .objectID(let id): id.uri
    }
  }

  /// A Float's number as short as 32 bits need it: `0.1`, not `0.10000000149011612`.
  private static func text(of number: Double, as type: AttributeType) -> String {
    let single = Float(number)
    return type == .float && Double(single) == number ? single.description : number.description
  }

  /// A default of a Double or Float: Xcode has `0.0` in its field, and people type `100`.
  static func text(ofDefault value: Value, as type: AttributeType) -> String? {
    guard case .double(let number) = value, number != 0, type == .double || type == .float,
      let whole = Int64(exactly: number)
    else { return text(of: value, as: type) }
    return whole.description
  }

  /// Whole seconds stand without a fraction.
  private static func text(ofSeconds seconds: Double) -> String {
    Int64(exactly: seconds).map(\.description) ?? seconds.description
  }
}
