/// A value of a flat record as its text format gives it. The bytes belong to the scanner and are
/// good until it moves on.
package enum FieldValue {
  case null
  case boolean(Bool)
  /// Digits, valid by the grammar of JSON numbers.
  case number(UnsafeBufferPointer<UInt8>)
  /// A text that a format marks as one: a JSON string, or a quoted CSV field.
  case text(UnsafeBufferPointer<UInt8>)
  /// A text of a format without types, read by the attribute: `null` is NULL but for a String.
  case literal(UnsafeBufferPointer<UInt8>)

  /// As the user wrote it, for messages.
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
