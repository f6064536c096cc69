import StoreModel
package import RecordFormats
package import SQLiteAccess
package import StoreDiagnostics

/// A reader of flat JSON objects: NDJSON, or the elements of one array.
package struct JSONRecordReader: RecordReader, ~Copyable {
  private var scanner: JSONScanner
  private var record = 0
  private var isInArray = false

  package init(_ source: some ByteSource) {
    scanner = JSONScanner(source)
  }

  package var inputName: String { scanner.input.name }

  package mutating func read(
    into rows: PackedRows, by encoder: inout RowEncoder
  ) throws -> Bool {
    var token = try scanner.next()
    if record == 0, !isInArray, token == .beginArray {
      isInArray = true
      token = try scanner.next()
    }
    if token == .endArray, isInArray, scanner.depth == 0 { token = try scanner.next() }
    if token == .end { return false }
    record += 1
    guard token == .beginObject else {
      let error = rowError(.notARecord(token.shown), of: encoder)
      try scanner.skipValue(beginningWith: token)
      throw error
    }
    let place = scanner.tokenPosition()
    scanner.input.beginRecord()
    encoder.beginRecord(in: rows)
    try readMembers(into: rows, by: &encoder)
    try scanner.input.endRecord()
    try encoder.endRecord(record, in: rows, at: place, of: inputName)
    return true
  }

  /// Reads to the end of the object even if a member is wrong, so that the next record can be read.
  private mutating func readMembers(
    into rows: PackedRows, by encoder: inout RowEncoder
  ) throws {
    var firstError: RowError?
    while try scanner.next() == .key {
      do {
        try readMember(into: rows, by: &encoder)
      } catch let error as RowError {
        firstError = firstError ?? error
      }
    }
    if let firstError {
      scanner.input.leaveRecord()
      throw firstError
    }
  }

  private mutating func readMember(
    into rows: PackedRows, by encoder: inout RowEncoder
  ) throws {
    guard let field = encoder.field(named: scanner.text) else {
      let name = String(decoding: scanner.text, as: UTF8.self)
      let error = rowError(encoder.plan.unknown(name), of: encoder)
      try scanner.skipValue(beginningWith: try scanner.next())
      throw error
    }
    guard !encoder.isSet(field) else {
      let error = rowError(.repeatedKey(encoder.plan.fields[field].name), of: encoder)
      try scanner.skipValue(beginningWith: try scanner.next())
      throw error
    }
    let token = try scanner.next()
    let value: FieldValue
    switch token {
    case .string: value = .text(scanner.text)
    case .number: value = .number(scanner.text)
    case .true: value = .boolean(true)
    case .false: value = .boolean(false)
    case .null: value = .null
    case .beginObject, .beginArray, .endObject, .endArray, .key, .end:
      let name = encoder.plan.fields[field].name
      let error = rowError(
        .value(property: name, shown: token.shown, .nested), of: encoder)
      try scanner.skipValue(beginningWith: token)
      throw error
    }
    do {
      try encoder.set(field, to: value, in: rows)
    } catch {
      let name = encoder.plan.fields[field].name
      throw rowError(.value(property: name, shown: value.shown, error), of: encoder)
    }
  }

  /// Returns an error with the location of the last token.
  private mutating func rowError(_ kind: RowError.Kind, of encoder: RowEncoder) -> RowError {
    let (place, excerpt) = scanner.tokenPlace()
    return RowError(
      kind, entity: encoder.plan.entity, record: record, place: place, excerpt: excerpt)
  }
}

extension JSONScanner {
  /// Returns the location of the last token, and an excerpt of it.
  package mutating func tokenPlace() -> (SourcePlace, DiagnosticMessage.Excerpt) {
    let position = tokenPosition()
    let end = max(input.mark + tokenLength, input.mark + 1)
    return (
      SourcePlace(file: input.name, line: position.line, column: position.column),
      input.excerpt(input.mark..<min(end, input.limit))
    )
  }
}

extension JSONScanner.Token {
  fileprivate var shown: String {
    switch self {
    case .beginObject, .endObject: "an object"
    case .beginArray, .endArray: "an array"
    case .key, .string: "a string"
    case .number: "a number"
    case .true: "true"
    case .false: "false"
    case .null: "null"
    case .end: "nothing"
    }
  }
}

extension InsertPlan {
  /// Returns the error for a key that isn't a field.
  func unknown(_ name: String) -> RowError.Kind {
    refused[name].map { .refusedKey(name, $0) } ?? .unknownKey(name, known: fields.map(\.name))
  }
}
