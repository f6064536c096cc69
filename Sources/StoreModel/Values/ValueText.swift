public import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a literal by the type of its attribute, as `key=text` writes it.
///
/// | type | text |
/// |---|---|
/// | Boolean | `true`, `false`, `yes`, `no`, `1`, `0`, in any case |
/// | Integer 16, 32, 64 | digits with an optional sign, within the type's range |
/// | Decimal, Double, Float | decimal digits, with an optional exponent |
/// | Date | ISO 8601; without a zone it is UTC |
/// | UUID | the 36 characters |
/// | Binary, Transformable, Undefined | base64 |
/// | String, URI | the text itself; the empty text is the empty string |
///
/// `null` is NULL for every type but String, where it is text like any other.
public enum ValueText {
  public static func value(
    of text: String, as type: AttributeType
  ) throws(ValueTextError) -> Value {
    if text == "null" && type != .string { return .null }
    guard let value = reading(text, as: type) else {
      throw ValueTextError(text: text, type: type)
    }
    return value
  }

  /// Nil when the text is no value of the type.
  package static func reading(_ text: String, as type: AttributeType) -> Value? {
    switch type {
    case .string, .uri: .string(text)
    case .boolean: boolean(text)
    case .integer16: Int16(text).map { .integer(Int64($0)) }
    case .integer32: Int32(text).map { .integer(Int64($0)) }
    case .integer64: Int64(text).map { .integer($0) }
    case .decimal: Int64(text).map { .integer($0) } ?? number(text).map { .double($0) }
    case .double: number(text).map { .double($0) }
    // The store keeps what 32 bits can hold.
    case .float: number(text).map { .double(Double(Float($0))) }
    case .date: ISODate.seconds(text).map { .date($0) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .binary, .transformable, .undefined:
      Data(base64Encoded: text).map { .binary(Array($0)) }
    case .objectID: ObjectID(uri: text).map { .objectID($0) }
    case .composite: nil
    }
  }

  private static func boolean(_ text: String) -> Value? {
    switch text.lowercased() {
    case "true", "yes", "1": .boolean(true)
    case "false", "no", "0": .boolean(false)
    default: nil
    }
  }

  /// A finite number in decimal; `Double` itself would read `0x10` and `inf` too.
  private static func number(_ text: String) -> Double? {
    let isDecimal = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    return number
  }
}

/// Text that is no value of its attribute's type.
public struct ValueTextError: Error, Hashable, Sendable {
  public var text: String
  public var type: AttributeType
}
