import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The result of converting the text of an attribute's default to the attribute's type.
///
/// Xcode keeps the text of a default if the attribute's type is changed. For example, an integer can have the default
/// `NO`.
enum TypedText: Hashable {
  case value(DataValue)
  /// The text isn't written like a value of the type, but can be converted. `readAs` is the text of the converted
  /// value.
  case odd(DataValue, readAs: String)
  case absent
  case meaningless

  init(_ text: String, as type: AttributeType) {
    switch type {
    case .integer16: self = Self.integer(text, in: Int64(Int16.min)...Int64(Int16.max))
    case .integer32: self = Self.integer(text, in: Int64(Int32.min)...Int64(Int32.max))
    case .integer64: self = Self.integer(text, in: Int64.min...Int64.max)
    case .decimal: self = Self.decimal(text)
    case .double: self = Self.real(text) { $0 }
    // Core Data stores the nearest 32-bit number as the default.
    case .float: self = Self.real(text) { Double(Float($0)) }
    case .boolean: self = Self.boolean(text)
    case .string, .uri: self = .value(.string(text))
    case .uuid: self = UUID(uuidString: text).map { .value(.uuid($0)) } ?? .meaningless
    // The default of a date is in another XML attribute.
    case .date, .binary, .undefined, .transformable, .objectID, .composite:
      self = text.isEmpty ? .absent : .meaningless
    }
  }

  private static func integer(_ text: String, in range: ClosedRange<Int64>) -> TypedText {
    if let number = Int64(text) {
      return range.contains(number) ? .value(.integer(number)) : .meaningless
    }
    if let number = number(text).flatMap({ Int64(exactly: $0) }), range.contains(number) {
      return .value(.integer(number))
    }
    guard let flag = flag(text) else { return .meaningless }
    return .odd(.integer(flag ? 1 : 0), readAs: flag ? "1" : "0")
  }

  /// Returns an integer for the text of a whole number, because the numeric affinity of the column stores such a value
  /// as an integer.
  private static func decimal(_ text: String) -> TypedText {
    if let whole = Int64(text) { return .value(.integer(whole)) }
    return real(text) { $0 }
  }

  private static func real(_ text: String, rounded: (Double) -> Double) -> TypedText {
    if let number = number(text) { return .value(.double(rounded(number))) }
    guard let flag = flag(text) else { return .meaningless }
    return .odd(.double(flag ? 1 : 0), readAs: flag ? "1" : "0")
  }

  private static func boolean(_ text: String) -> TypedText {
    if let flag = flag(text) { return .value(.boolean(flag)) }
    guard let number = number(text) else { return .meaningless }
    if number == 0 || number == 1 { return .value(.boolean(number == 1)) }
    return .odd(.boolean(true), readAs: "YES")
  }

  /// Parses a decimal number. Unlike Swift's initializer, it rejects `nan`, `inf` and hexadecimal digits.
  static func number(_ text: String) -> Double? {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    return isPlain ? Double(text) : nil
  }

  /// Parses `YES`, `NO`, `true` or `false`, in any case.
  static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true": true
    case "no", "false": false
    default: nil
    }
  }
}
