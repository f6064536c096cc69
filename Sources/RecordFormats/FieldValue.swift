/// A value of a flat record in its text format. The bytes are in the memory of the scanner and are valid until its next
/// call.
package enum FieldValue {
  case null
  case boolean(Bool)
  /// The digits of a valid JSON number.
  case number(UnsafeBufferPointer<UInt8>)
  /// A text that the format marks as text: a JSON string, or a quoted CSV field.
  case text(UnsafeBufferPointer<UInt8>)
  /// A text in a format without types, which the attribute interprets: `null` is NULL unless the attribute is a String.
  case literal(UnsafeBufferPointer<UInt8>)

  /// The text of the input, for messages.
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
