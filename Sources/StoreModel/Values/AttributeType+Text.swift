#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

package import StorePredicate

// What an attribute takes, and what it makes of it, is said in four files, by the form in which a value
// comes: as text (here), as one side of a comparison (`+Comparison`), as a value of a program and as a
// value that SQLite has computed (StoreEngine's `+Storing`), and as the bytes of a record
// (StoreEngine's `+Cells`). The same input means the same in each; ValueAgreementTests feeds one table
// through all of them, and `docs/cli.md`, "Values", shows it to users.

extension AttributeType {
  /// The value that a text stands for; nil when it is none of the type. `null` is a text like any other
  /// here.
  package func value(ofText text: String) -> Value? {
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

  /// RFC 4648 base64, with or without its padding.
  private static func bytes(ofBase64 text: String) -> [UInt8]? {
    let missing = text.hasSuffix("=") ? 0 : (4 - text.utf8.count % 4) % 4
    let padded = text + String(repeating: "=", count: missing)
    // Bits that no byte takes must be zero, or two texts would mean the same bytes.
    guard let data = Data(base64Encoded: padded), data.base64EncodedString() == padded else {
      return nil
    }
    return Array(data)
  }

  /// Core Data stores NSDecimalNumber.notANumber as this text.
  package static let notANumber = "NaN"

  /// What the store keeps of a number in an attribute of 32 bits; nil for one that is too large.
  package static func single(_ number: Double) -> Double? {
    let single = Double(Float(number))
    return single.isFinite || number.isInfinite ? single : nil
  }

  /// A whole number stays one, as the column's affinity keeps it.
  private func decimal(_ text: String) -> Value? {
    if text == Self.notANumber { return .string(text) }
    if let whole = Int64(text) { return .integer(whole) }
    return Self.number(text).flatMap { $0.isFinite ? .double($0) : nil }
  }

  /// A number in decimal; `Double` itself would read `0x10` and `inf` too, and make the infinite of what
  /// is too large.
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

/// The words for true and false: `true`, `yes`, `1`, `false`, `no`, `0`, in any case.
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

  /// - Parameter word: in lower case; case is ignored in `text`.
  private static func equals(_ text: UnsafeBufferPointer<UInt8>, _ word: StaticString) -> Bool {
    guard text.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { word in
      text.indices.allSatisfy { text[$0] | 0x20 == word[$0] }
    }
  }
}
