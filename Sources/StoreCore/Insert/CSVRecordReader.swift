package import RecordFormats
import StoreModel
package import SQLiteAccess
package import StoreDiagnostics

/// A reader of CSV records with a header that contains the names of the properties.
package struct CSVRecordReader: RecordReader, ~Copyable {
  private var scanner: CSVScanner
  private var record = 0
  /// For each CSV column, the index of its field in the plan. Nil before the header is read.
  private var columns: [Int]?

  package init(_ source: some ByteSource, _ dialect: CSVDialect = .detected) {
    scanner = CSVScanner(source, dialect)
  }

  package var inputName: String { scanner.input.name }

  package mutating func read(
    into rows: PackedRows, by encoder: inout RowEncoder
  ) throws -> Bool {
    let columns = try self.columns ?? readHeader(by: &encoder)
    self.columns = columns
    var token = try scanner.next()
    if token == .end { return false }
    record += 1
    let start = TextPosition(line: scanner.input.line, column: 1)
    encoder.beginRecord(in: rows)
    var count = 0
    var firstError: RowError?
    while token != .endOfRecord {
      if count < columns.count {
        do throws(ValueError) {
          try encoder.set(
            columns[count], to: token == .empty ? .null : .literal(scanner.text), in: rows)
        } catch {
          let name = encoder.plan.fields[columns[count]].name
          let shown = token == .empty ? "" : FieldValue.literal(scanner.text).shown
          let kind = RowError.Kind.value(property: name, shown: shown, error)
          firstError = firstError ?? rowError(kind, of: encoder)
        }
      }
      count += 1
      token = try scanner.next()
    }
    guard count == columns.count else {
      throw InputError(
        kind: .fieldCount(count, expected: columns.count),
        place: SourcePlace(file: inputName, line: start.line, column: 1), excerpt: nil)
    }
    if let firstError { throw firstError }
    try encoder.endRecord(record, in: rows, at: start, of: inputName)
    return true
  }

  private mutating func readHeader(by encoder: inout RowEncoder) throws -> [Int] {
    var columns: [Int] = []
    var token = try scanner.next()
    while token != .endOfRecord, token != .end {
      guard token == .field, !scanner.text.isEmpty else { throw headerError(.emptyHeader) }
      let name = String(decoding: scanner.text, as: UTF8.self)
      guard let field = encoder.field(named: scanner.text) else {
        throw rowError(encoder.plan.unknown(name), of: encoder)
      }
      guard !columns.contains(field) else { throw headerError(.duplicateHeader(name)) }
      columns.append(field)
      token = try scanner.next()
    }
    return columns
  }

  private mutating func headerError(_ kind: InputError.Kind) -> InputError {
    let (place, excerpt) = scanner.tokenPlace()
    return InputError(kind: kind, place: place, excerpt: excerpt)
  }

  private mutating func rowError(_ kind: RowError.Kind, of encoder: RowEncoder) -> RowError {
    let (place, excerpt) = scanner.tokenPlace()
    return RowError(
      kind, entity: encoder.plan.entity, record: columns == nil ? nil : record, place: place,
      excerpt: excerpt)
  }
}

extension CSVScanner {
  /// Returns the location of the last field, and an excerpt of it.
  package mutating func tokenPlace() -> (SourcePlace, DiagnosticMessage.Excerpt) {
    let position = tokenPosition()
    return (
      SourcePlace(file: input.name, line: position.line, column: position.column),
      input.excerpt(input.mark..<max(input.index, input.mark + 1))
    )
  }
}
