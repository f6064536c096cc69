/// The character between the fields of delimited text.
package struct FieldDelimiter: Hashable, Sendable {
  package let byte: UInt8

  package static let comma = FieldDelimiter(byte: UInt8(ascii: ","))
  package static let semicolon = FieldDelimiter(byte: UInt8(ascii: ";"))
  package static let tab = FieldDelimiter(byte: UInt8(ascii: "\t"))

  /// The delimiters that a header is searched for. Of two that are equally frequent the first one counts.
  static let detected: [FieldDelimiter] = [.comma, .semicolon, .tab]

  private init(byte: UInt8) { self.byte = byte }

  /// One ASCII character, `tab` or `\t`. Nil for other text, and for characters that end fields or records anyway.
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

/// How delimited text is read.
package struct CSVDialect: Hashable, Sendable {
  /// Nil for the most frequent delimiter of the header: comma, semicolon or tab.
  package var delimiter: FieldDelimiter?
  /// In unquoted fields, `\t`, `\n`, `\r` and `\\` stand for their characters, as an export writes them.
  package var hasEscapes: Bool

  package init(delimiter: FieldDelimiter? = nil, hasEscapes: Bool = false) {
    self.delimiter = delimiter
    self.hasEscapes = hasEscapes
  }

  package static let detected = CSVDialect()
  package static let tabs = CSVDialect(delimiter: .tab, hasEscapes: true)
}
