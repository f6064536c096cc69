/// A value of a record before it is converted to the type of its attribute. Arrays and objects aren't field values. The
/// bytes are in the scanner's memory and valid until the scanner reads the next token.
package enum FieldValue {
  case null
  case boolean(Bool)
  /// A valid JSON number.
  case number(UnsafeBufferPointer<UInt8>)
  /// Text that is marked as text by the format: a JSON string or a quoted CSV field.
  case text(UnsafeBufferPointer<UInt8>)
  /// Text that can represent a value of any type, such as an unquoted CSV field. The attribute determines its type. The
  /// text `null` is NULL unless the attribute is a String.
  case literal(UnsafeBufferPointer<UInt8>)

  /// The beginning of the value on one line, for messages.
  package var shown: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .number(let bytes), .text(let bytes), .literal(let bytes):
      String(
        String(decoding: bytes, as: UTF8.self).prefix(60).map { $0.isNewline ? " " : $0 })
        + (bytes.count > 60 ? "…" : "")
    }
  }
}
