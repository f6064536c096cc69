package import RecordFormats
import StoreCore
import StoreDiagnostics
package import StoreModel

/// Records on their way into an import, one after the other.
protocol ImportRecordSource: ~Copyable {
  var inputName: String { get }
  /// The records read so far.
  var count: Int { get }

  /// The next record; nil after the last one.
  mutating func next() throws -> JSONValue?
}

/// The records of a JSON document, one after the other: the elements of the array at a path, the
/// lines of NDJSON, or the one object that there is. Where several documents follow one another,
/// each has its records at the path.
struct ImportRecords: ImportRecordSource, ~Copyable {
  private var scanner: JSONScanner
  private let root: [String]
  private var isInArray = false
  private var isFirstDocument = true

  let inputName: String
  private(set) var count = 0

  init(_ source: some ByteSource, root: [String]) {
    scanner = JSONScanner(source)
    inputName = source.name
    self.root = root
  }

  /// The next record; nil after the last one.
  ///
  /// - Throws: `InputError`; `DiagnosticError` for `ImportError.noRoot` and `ImportError.noRecords`, at
  ///   their places.
  mutating func next() throws -> JSONValue? {
    while true {
      if isInArray {
        if let element = try scanner.nextRecord() { return counted(element) }
        isInArray = false
      }
      // What stands behind the records has to be JSON too: half a document is not a document.
      while scanner.depth > 0 { _ = try scanner.next() }
      guard let record = try beginDocument() else {
        if isInArray { continue }
        return nil
      }
      return counted(record)
    }
  }

  private mutating func counted(_ record: JSONValue) -> JSONValue {
    count += 1
    return record
  }

  /// Reads to the records of the next document. Returns the one record when they are no array, and
  /// nil at the beginning of an array or at the end of the input.
  private mutating func beginDocument() throws -> JSONValue? {
    var token = try scanner.next()
    defer { isFirstDocument = false }
    if token == .end, !isFirstDocument || root.isEmpty { return nil }
    for (index, key) in root.enumerated() {
      guard token == .beginObject, let inside = try value(of: key) else {
        throw located(.noRoot(Array(root[...index])))
      }
      token = inside
    }
    isInArray = token == .beginArray && (isFirstDocument || !root.isEmpty)
    guard !isInArray else { return nil }
    let (place, excerpt) = scanner.tokenPlace()
    let value = try scanner.record(beginningWith: token)
    // In NDJSON a line that is not an object is a wrong record, for the mapper to name.
    guard case .object = value.content else {
      if root.isEmpty, !isFirstDocument { return value }
      throw DiagnosticError(
        ImportError.noRecords(value.kindName).diagnostics.map { $0.at(place, excerpt) })
    }
    return value
  }

  /// An error at the token that was just read.
  private mutating func located(_ error: ImportError) -> DiagnosticError {
    let (place, excerpt) = scanner.tokenPlace()
    return DiagnosticError(error.diagnostics.map { $0.at(place, excerpt) })
  }

  /// Reads to the value of a key of the open object; nil when it has no such key.
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
  /// The next value as a record; nil at the end of the input or of the open array.
  fileprivate mutating func nextRecord() throws -> JSONValue? {
    let token = try next()
    if token == .end || token == .endArray { return nil }
    return try record(beginningWith: token)
  }

  /// The record whose first token was just read.
  fileprivate mutating func record(beginningWith token: Token) throws -> JSONValue {
    input.beginRecord()
    let value = try value(beginningWith: token)
    try input.endRecord()
    return value
  }
}

extension Diagnostic {
  fileprivate func at(_ place: SourcePlace, _ excerpt: Excerpt) -> Diagnostic {
    var located = self
    located.place = place
    located.excerpt = excerpt
    return located
  }
}

/// One of the files of an import.
package struct ImportInput: Sendable {
  let source: any ByteSource
  let dialect: CSVDialect?

  /// - Parameter delimiter: between the fields of CSV, where it isn't detected.
  package init(
    _ source: any ByteSource, format: RecordFormat = .json, delimiter: FieldDelimiter? = nil
  ) {
    self.source = source
    dialect = format.dialect(delimiter)
  }
}

/// The files whose records an import has read. Records are numbered through all of them, and messages name the file and the
/// number in it.
final class ImportInputs {
  /// The files, each with the number of the record before its first one.
  private var files: [(name: String, before: Int)] = []
  private let isSeveral: Bool

  init(count: Int) { isSeveral = count > 1 }

  func begin(_ name: String, after record: Int) { files.append((name, record)) }

  /// The file and the number in it of a record.
  func locate(_ record: Int) -> (file: String, number: Int) {
    guard let file = files.last(where: { $0.before < record }) else { return ("", record) }
    return (file.name, record - file.before)
  }

  /// How a message without a location names a record.
  func reference(
    _ relationship: String, to target: String, of record: Int
  ) -> ImportError.Reference {
    let (file, number) = locate(record)
    return ImportError.Reference(
      relationship: relationship, target: target, record: number, file: isSeveral ? file : nil)
  }
}
