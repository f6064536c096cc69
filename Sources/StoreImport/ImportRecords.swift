package import RecordFormats
import StoreCore
import StoreDiagnostics
package import StoreModel

/// A source of records for an import.
protocol ImportRecordSource: ~Copyable {
  var inputName: String { get }

  /// Returns the next record, or nil after the last one.
  mutating func next() throws -> JSONValue?
}

/// The records of JSON: the elements of the array at a path, the single object at the path, or the lines of NDJSON. If
/// the input consists of several documents, the path applies to each of them.
struct ImportRecords: ImportRecordSource, ~Copyable {
  private var scanner: JSONScanner
  private let root: [String]
  private var isInArray = false
  private var isFirstDocument = true

  let inputName: String

  init(_ source: some ByteSource, root: [String]) {
    scanner = JSONScanner(source)
    inputName = source.name
    self.root = root
  }

  /// Returns the next record, or nil after the last one.
  ///
  /// - Throws: `InputError`; `DiagnosticError` for `ImportError.noRoot` and `ImportError.noRecords`, with their
  ///   locations.
  mutating func next() throws -> JSONValue? {
    while true {
      if isInArray {
        if let element = try scanner.nextRecord() { return element }
        isInArray = false
      }
      // Read the rest of the document, so that an incomplete document is an error.
      while scanner.depth > 0 { _ = try scanner.next() }
      guard let record = try beginDocument() else {
        if isInArray { continue }
        return nil
      }
      return record
    }
  }

  /// Advances to the records of the next document. Returns the record if it isn't in an array. Returns nil at the start
  /// of an array (`isInArray` is then true) and at the end of the input.
  private mutating func beginDocument() throws -> JSONValue? {
    var token = try scanner.next()
    defer { isFirstDocument = false }
    if token == .end, !isFirstDocument || root.isEmpty { return nil }
    for (index, key) in root.enumerated() {
      guard token == .beginObject, let inside = try value(of: key) else {
        let (place, excerpt) = scanner.tokenPlace()
        throw DiagnosticError(
          ImportError.noRoot(Array(root[...index])).diagnostics.map { $0.at(place, excerpt) })
      }
      token = inside
    }
    isInArray = token == .beginArray && (isFirstDocument || !root.isEmpty)
    guard !isInArray else { return nil }
    let (place, excerpt) = scanner.tokenPlace()
    let value = try scanner.record(beginningWith: token)
    // In NDJSON, a line that isn't an object is an invalid record, which `RecordMapper` reports.
    guard case .object = value.content else {
      if root.isEmpty, !isFirstDocument { return value }
      throw DiagnosticError(
        ImportError.noRecords(value.kindName).diagnostics.map { $0.at(place, excerpt) })
    }
    return value
  }

  /// Returns the first token of a key's value in the open object, or nil if the key is missing.
  private mutating func value(of key: String) throws -> JSONScanner.Token? {
    while try scanner.next() == .key {
      let isFound = scanner.text.elementsEqual(key.utf8)
      let token = try scanner.next()
      if isFound { return token }
      try scanner.skipValue(beginningWith: token)
    }
    return nil
  }
}

extension JSONScanner {
  /// Returns the next value as a record, or nil at the end of the input or of the open array.
  fileprivate mutating func nextRecord() throws -> JSONValue? {
    let token = try next()
    if token == .end || token == .endArray { return nil }
    return try record(beginningWith: token)
  }

  /// Returns the record whose first token was just read.
  fileprivate mutating func record(beginningWith token: Token) throws -> JSONValue {
    input.beginRecord()
    let value = try value(beginningWith: token)
    try input.endRecord()
    return value
  }
}

extension DiagnosticMessage {
  fileprivate func at(_ place: SourcePlace, _ excerpt: Excerpt) -> DiagnosticMessage {
    var located = self
    located.place = place
    located.excerpt = excerpt
    return located
  }
}

/// A file of an import.
package struct ImportInput: Sendable {
  let source: any ByteSource
  let dialect: CSVDialect?

  /// - Parameter delimiter: the delimiter of CSV, or nil to detect it.
  package init(
    _ source: any ByteSource, format: RecordFormat = .json, delimiter: FieldDelimiter? = nil
  ) {
    self.source = source
    dialect = format.dialect(delimiter)
  }
}

/// The files that an import has begun to read. The import numbers the records of all files consecutively; messages
/// contain a file and the record's number in this file.
final class ImportInputs {
  /// The files, each with the number of records in the files before it.
  private var files: [(name: String, before: Int)] = []
  private let isSeveral: Bool

  init(count: Int) { isSeveral = count > 1 }

  func begin(_ name: String, after record: Int) { files.append((name, record)) }

  /// Returns the file of a record, and the record's number in this file.
  func locate(_ record: Int) -> (file: String, number: Int) {
    guard let file = files.last(where: { $0.before < record }) else { return ("", record) }
    return (file.name, record - file.before)
  }

  /// Returns a description of a record's relationship, for a message without a location.
  func reference(
    _ kind: ImportLinks.Kind, to target: String, of record: Int64
  ) -> ImportError.Reference {
    let (file, number) = locate(Int(record))
    return ImportError.Reference(
      relationship: kind.name, target: target, record: number, file: isSeveral ? file : nil)
  }
}
