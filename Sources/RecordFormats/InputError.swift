import SQLiteAccess
package import StoreDiagnostics

/// Why an input text could not be read, and where.
package struct InputError: Error, Hashable {
  package enum Kind: Hashable, Sendable {
    // JSON
    case expected(String, found: Found)
    case trailingComma
    /// The input ends inside of the record that begins here.
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
    // both
    /// A record, in bytes.
    case tooLong(limit: Int)
    case invalidUTF8(UInt8)
  }

  package enum Found: Hashable, Sendable {
    case character(String)
    case endOfInput
  }

  package var kind: Kind
  package var place: SourcePlace
  package var excerpt: Diagnostic.Excerpt?
  /// The line in which the record begins, where the next one begins inside of it.
  package var recordLine: Int?

  package init(kind: Kind, place: SourcePlace, excerpt: Diagnostic.Excerpt? = nil) {
    self.kind = kind
    self.place = place
    self.excerpt = excerpt
  }
}

extension InputText {
  /// An error at a range of bytes of the current line.
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
