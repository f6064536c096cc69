#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

package import StorePredicate

// Four files define which values an attribute accepts and how they are converted, one for each form of input: text
// (this file), a compared value (`+Comparison`), values from a program or computed by SQLite (`+Storing` in
// StoreLayout), and bytes of a record (`+Cells` in StoreCore). All files convert the same input to the same value.
// ValueAgreementTests tests all of them with one table, and "Values" in `docs/cli.md` documents it.

extension AttributeType {
  /// Converts a text to a value of the type. Returns nil if the text isn't such a value. `null` isn't treated
  /// specially.
  package func value(ofText text: String) -> DataValue? {
    switch self {
    case .string, .uri, .undefined: .string(text)
    case .boolean: BooleanText.value(text).map { .boolean($0) }
    case .integer16: Int16(text).map { .integer(Int64($0)) }
    case .integer32: Int32(text).map { .integer(Int64($0)) }
    case .integer64: Int64(text).map { .integer($0) }
    case .decimal: decimal(text)
    case .double: Self.number(text).map { .double($0) }
    case .float: Self.number(text).flatMap(Self.single).map { .double($0) }
    case .date: ISODate.seconds(text).map { .date($0) }
    case .uuid: UUID(uuidString: text).map { .uuid($0) }
    case .binary, .transformable: Self.bytes(ofBase64: text).map { .binary($0) }
    case .objectID: ObjectID(text: text).map { .objectID($0) }
    case .composite: nil
    }
  }

  /// Decodes base64 (RFC 4648), with or without padding.
  private static func bytes(ofBase64 text: String) -> [UInt8]? {
    let missing = text.hasSuffix("=") ? 0 : (4 - text.utf8.count % 4) % 4
    let padded = text + String(repeating: "=", count: missing)
    // Unused bits must be zero. Otherwise, several texts would represent the same bytes.
    guard let data = Data(base64Encoded: padded), data.base64EncodedString() == padded else {
      return nil
    }
    return Array(data)
  }

  /// The text that Core Data stores for NSDecimalNumber.notANumber.
  package static let notANumber = "NaN"

  /// Returns the number that a Float attribute stores, or nil if the number is too large.
  package static func single(_ number: Double) -> Double? {
    let single = Double(Float(number))
    return single.isFinite || number.isInfinite ? single : nil
  }

  /// Converts a text to a decimal. An integer remains an integer, as in a column with numeric affinity.
  private func decimal(_ text: String) -> DataValue? {
    if text == Self.notANumber { return .string(text) }
    if let whole = Int64(text) { return .integer(whole) }
    return Self.number(text).flatMap { $0.isFinite ? .double($0) : nil }
  }

  /// Converts decimal digits, `Infinity` or `-Infinity` to a number. In contrast, `Double` would also accept `0x10` and
  /// `inf`, and convert numbers that are too large to infinity.
  private static func number(_ text: String) -> Double? {
    switch text {
    case "Infinity": return .infinity
    case "-Infinity": return -.infinity
    default: break
    }
    let isDecimal = text.utf8.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    return number
  }
}

/// The texts for true and false: `true`, `yes`, `1`, `false`, `no`, `0`, in upper or lower case.
package enum BooleanText {
  static func value(_ text: String) -> Bool? {
    var text = text
    return text.withUTF8 { value($0) }
  }

  package static func value(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
    if text.count == 1 {
      switch text[0] {
      case UInt8(ascii: "0"): return false
      case UInt8(ascii: "1"): return true
      default: return nil
      }
    }
    if Self.equals(text, "true") || Self.equals(text, "yes") { return true }
    if Self.equals(text, "false") || Self.equals(text, "no") { return false }
    return nil
  }

  /// - Parameter word: A word in lowercase. The case of `text` is ignored.
  private static func equals(_ text: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard text.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { word in
      text.indices.allSatisfy { text[$0] | 0x20 == word[$0] }
    }
  }
}
