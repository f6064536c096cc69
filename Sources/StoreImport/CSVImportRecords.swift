import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreCore

/// The rows of CSV as records: an object for each, its keys out of the header.
///
/// What an export as CSV writes comes back: an empty field is NULL, and the members of a to-many
/// relationship stand in one field with blanks between.
struct CSVImportRecords: ImportRecordSource, ~Copyable {
  private var scanner: CSVScanner
  private let listColumns: Set<String>
  private var header: [String]?

  let inputName: String
  private(set) var count = 0

  /// - Parameter listColumns: the to-many relationships.
  init(
    _ source: some ByteSource, _ dialect: CSVDialect = .detected, listColumns: Set<String>
  ) {
    scanner = CSVScanner(source, dialect)
    inputName = source.name
    self.listColumns = listColumns
  }

  /// - Throws: `InputError`
  mutating func next() throws -> JSONValue? {
    let header = try self.header ?? readHeader()
    self.header = header
    let line = scanner.input.line
    var token = try scanner.next()
    guard token != .end else { return nil }
    var members: [JSONValue.Member] = []
    var fieldCount = 0
    while token != .endOfRecord, token != .end {
      if fieldCount < header.count {
        let key = header[fieldCount]
        members.append(JSONValue.Member(key: key, value: value(of: token, for: key)))
      }
      fieldCount += 1
      token = try scanner.next()
    }
    guard fieldCount == header.count else {
      throw InputError(
        kind: .fieldCount(fieldCount, expected: header.count),
        place: SourcePlace(file: inputName, line: line, column: 1), excerpt: nil)
    }
    count += 1
    return JSONValue(.object(members), at: TextPosition(line: line, column: 1))
  }

  private mutating func value(of token: CSVScanner.Token, for key: String) -> JSONValue {
    let position = scanner.tokenPosition()
    guard token == .field else { return JSONValue(.null, at: position) }
    let text = String(decoding: scanner.text, as: UTF8.self)
    guard listColumns.contains(key) else { return JSONValue(.string(text), at: position) }
    let parts = text.split(separator: " ").map { JSONValue(.string(String($0)), at: position) }
    return JSONValue(.array(parts), at: position)
  }

  private mutating func readHeader() throws -> [String] {
    var names: [String] = []
    var known: Set<String> = []
    var token = try scanner.next()
    while token != .endOfRecord, token != .end {
      let name = String(decoding: scanner.text, as: UTF8.self)
      guard token == .field, !name.isEmpty else { throw headerError(.emptyHeader) }
      guard known.insert(name).inserted else { throw headerError(.duplicateHeader(name)) }
      names.append(name)
      token = try scanner.next()
    }
    return names
  }

  private mutating func headerError(_ kind: InputError.Kind) -> InputError {
    let (place, excerpt) = scanner.tokenPlace()
    return InputError(kind: kind, place: place, excerpt: excerpt)
  }
}
