import SQLiteAccess
package import StoreDiagnostics

/// The reason why input can't be read, with its location.
package struct InputError: Error, Hashable {
  package enum Kind: Hashable, Sendable {
    // JSON
    case expected(String, found: Found)
    case trailingComma
    /// The input ends in the record that begins here.
    case unfinishedRecord(wanted: String)
    case badNumber(String)
    case badEscape(String)
    case loneSurrogate
    case controlCharacter(UInt8)
    case tooDeep(limit: Int)
    case duplicateKey(String)
    // CSV
    case quoteInField
    case textAfterQuote
    case unclosedQuote
    case carriageReturn
    case fieldCount(Int, expected: Int)
    case emptyHeader
    case duplicateHeader(String)
    // JSON and CSV
    /// A record with more bytes than the limit.
    case tooLong(limit: Int)
    case invalidUTF8(UInt8)
  }

  package enum Found: Hashable, Sendable {
    case character(String)
    case endOfInput
  }

  package var kind: Kind
  package var place: SourcePlace
  package var excerpt: DiagnosticMessage.Excerpt?
  /// The line in which the record with the error begins, if the error is a `{` in a later line. The record is then
  /// probably incomplete, and the `{` begins the next record.
  package var recordLine: Int?

  package init(kind: Kind, place: SourcePlace, excerpt: DiagnosticMessage.Excerpt? = nil) {
    self.kind = kind
    self.place = place
    self.excerpt = excerpt
  }
}

extension InputText {
  /// Returns an error at a range of bytes in the current line.
  mutating func error(_ kind: InputError.Kind, at range: Range<Int>) -> InputError {
    let position = position(of: min(range.lowerBound, limit))
    var error = InputError(
      kind: kind, place: SourcePlace(file: name, line: position.line, column: position.column),
      excerpt: range.lowerBound <= limit ? excerpt(range) : nil)
    if case .expected(_, .character("'{'")) = kind, let line = recordLine, line < position.line {
      error.recordLine = line
    }
    return error
  }
}

extension InputError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] {
    let unfinished = recordLine.map {
      DiagnosticRemedy.text("the record that begins on line \($0) is incomplete")
    }
    return [
      DiagnosticMessage(
        .error, kind.code, kind.message, cause: .invalid, at: place, excerpt: excerpt,
        help: [kind.help, unfinished].compactMap(\.self))
    ]
  }
}

extension InputError.Kind {
  package var code: String {
    switch self {
    case .expected, .unfinishedRecord, .trailingComma, .badNumber, .badEscape, .loneSurrogate,
      .controlCharacter:
      "json.syntax"
    case .tooDeep: "json.too-deep"
    case .duplicateKey: "json.duplicate-key"
    case .quoteInField, .textAfterQuote, .unclosedQuote: "csv.quote"
    case .carriageReturn: "csv.line-end"
    case .fieldCount: "csv.field-count"
    case .emptyHeader, .duplicateHeader: "csv.header"
    case .tooLong: "input.too-long"
    case .invalidUTF8: "input.encoding"
    }
  }

  package var message: String {
    switch self {
    case .expected(let wanted, .character(let found)): "expected \(wanted), found \(found)"
    case .expected(let wanted, .endOfInput): "expected \(wanted), found the end of the text"
    case .unfinishedRecord(let wanted):
      "the record that begins here is incomplete: expected \(wanted), found the end of the text"
    case .trailingComma: "missing value after a comma"
    case .badNumber(let text): "'\(text)' isn't a JSON number"
    case .badEscape(let text): "invalid escape '\(text)' in a JSON string"
    case .loneSurrogate: "unpaired surrogate in a JSON string"
    case .controlCharacter(let byte):
      "unescaped control character U+00\(Self.hex(byte)) in a JSON string"
    case .tooDeep(let limit): "values are nested more than \(limit) levels deep"
    case .duplicateKey(let key): "duplicate key '\(key)'"
    case .quoteInField: "unexpected quote in an unquoted field"
    case .textAfterQuote: "unexpected text after the closing quote of a field"
    case .unclosedQuote: "the closing quote of this field is missing"
    case .carriageReturn: "carriage return without a line feed"
    case .fieldCount(let count, let expected):
      "the record has \(count) \("field".plural(count)), but the header has \(expected)"
    case .emptyHeader: "missing column name in the header"
    case .duplicateHeader(let name): "duplicate column '\(name)' in the header"
    case .tooLong(let limit): "the record has more than \(limit) \("byte".plural(limit))"
    case .invalidUTF8(let byte): "the byte 0x\(Self.hex(byte)) isn't valid UTF-8"
    }
  }

  var help: DiagnosticRemedy? {
    switch self {
    case .trailingComma: "remove the comma"
    case .badNumber: "write numbers as -12, 0.5 or 1e9, and NaN and Infinity as strings"
    case .controlCharacter(let byte): "write it as \\u00\(Self.hex(byte))"
    case .quoteInField: "enclose the whole field in quotes, and double the quotes in it"
    case .textAfterQuote: "double a quote that belongs to the text"
    case .carriageReturn: "end the lines with LF or CRLF, or enclose the field in quotes"
    case .tooLong: .importing(.raiseRecordLimit)
    case .invalidUTF8: "convert the file to UTF-8"
    case .expected(_, .character("'SQLite'")):
      "the input is an SQLite database, not text with records"
    case .expected(_, .character("'<'")): "the input looks like XML, not JSON"
    case .expected(_, .character(let found)) where found.hasPrefix("the byte"):
      "convert the input to UTF-8"
    case .expected, .unfinishedRecord, .badEscape, .loneSurrogate, .tooDeep, .duplicateKey,
      .unclosedQuote,
      .fieldCount, .emptyHeader, .duplicateHeader:
      nil
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
