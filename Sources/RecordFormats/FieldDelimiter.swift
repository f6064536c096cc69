/// The character between the fields of delimited text.
package struct FieldDelimiter: Hashable, Sendable {
  package let byte: UInt8

  package static let comma = FieldDelimiter(byte: UInt8(ascii: ","))
  package static let semicolon = FieldDelimiter(byte: UInt8(ascii: ";"))
  package static let tab = FieldDelimiter(byte: UInt8(ascii: "\t"))

  /// The delimiters that are detected in a header. If two are equally frequent, the first one is used.
  static let detected: [FieldDelimiter] = [.comma, .semicolon, .tab]

  private init(byte: UInt8) { self.byte = byte }

  /// Creates a delimiter from one ASCII character, `tab` or `\t`. Fails for other text, double quotes, NUL and line
  /// ends.
  package init?(_ text: String) {
    if text == "tab" || text == "\\t" {
      self = .tab
      return
    }
    let bytes = Array(text.utf8)
    guard bytes.count == 1, bytes[0] < 0x80, !#""\#u{0}\#r\#n"#.utf8.contains(bytes[0]) else {
      return nil
    }
    byte = bytes[0]
  }
}

/// The dialect of delimited text that is read.
package struct CSVDialect: Hashable, Sendable {
  /// The delimiter; nil for the most frequent one in the header: comma, semicolon or tab.
  package var delimiter: FieldDelimiter?
  /// Whether `\t`, `\n`, `\r` and `\\` are escapes in unquoted fields, as in an export.
  package var hasEscapes: Bool

  package init(delimiter: FieldDelimiter? = nil, hasEscapes: Bool = false) {
    self.delimiter = delimiter
    self.hasEscapes = hasEscapes
  }

  package static let detected = CSVDialect()
  package static let tabs = CSVDialect(delimiter: .tab, hasEscapes: true)
}
