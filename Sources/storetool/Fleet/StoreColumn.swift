import StoreDiagnostics
import RecordFormats

/// Adds the store to each row that a worker has written, and combines the rows of all stores into one stream.
protocol StoreColumn {
  /// Returns the number of bytes in the complete records at the beginning of `bytes`.
  func wholeRecords(in bytes: [UInt8]) -> Int

  /// Writes complete records of one store.
  ///
  /// - Parameter isFirst: Whether these are the first records of the store.
  /// - Throws: `StoreColumnError` if the rows can't be combined with the rows of other stores, or an error of writing.
  mutating func write(_ records: ArraySlice<UInt8>, of store: LocalPath, isFirst: Bool) throws

  /// Writes the rest of the output, after the rows of all stores.
  mutating func finish(_ summary: FleetSummary) throws
}

extension StoreColumn {
  func wholeRecords(in bytes: [UInt8]) -> Int {
    bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  }
}

/// The reason why the rows of a store can't be combined with the rows of other stores.
enum StoreColumnError: Error, Hashable {
  /// The columns differ, but a delimited stream has only one header.
  case otherColumns([String], than: [String])
  case nameIsTaken(String)

  var code: String {
    switch self {
    case .otherColumns: "each.other-columns"
    case .nameIsTaken: "each.column-is-taken"
    }
  }

  var message: String {
    switch self {
    case .otherColumns(let own, let others):
      """
      the columns of the output (\(own.joined(separator: ", "))) differ from those of the previous stores \
      (\(others.joined(separator: ", "))): choose columns with --select, or use --format ndjson
      """
    case .nameIsTaken(let name):
      "the output of this command already has a column '\(name)': choose another name with --column"
    }
  }
}

/// Writes lines of text, each after the path of its store.
struct StoreLines: StoreColumn {
  func write(_ records: ArraySlice<UInt8>, of store: LocalPath, isFirst: Bool) throws {
    try OutputFile.standard.write(Self.marked(records, store))
  }

  func finish(_ summary: FleetSummary) {}

  static func marked(_ lines: ArraySlice<UInt8>, _ store: LocalPath) -> String {
    lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast(lines.last == UInt8(ascii: "\n") ? 1 : 0)
      .map { $0.isEmpty ? "\(store):\n" : "\(store): \(String(decoding: $0, as: UTF8.self))\n" }
      .joined()
  }
}

/// Writes JSON objects, with the store as their first member, on separate lines or as an array.
struct StoreMember: StoreColumn {
  private let column: String
  private let sink: any ByteSink
  /// The sink that writes the objects as an array; nil for separate lines.
  private let array: JSONArraySink?

  init(_ column: String, asArray: Bool) {
    self.column = column
    array = asArray ? JSONArraySink(OutputFile.standard) : nil
    sink = array ?? OutputFile.standard
  }

  func write(_ records: ArraySlice<UInt8>, of store: LocalPath, isFirst: Bool) throws {
    let lines = records.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first else { return }
    var out = ByteBuffer(capacity: records.count + records.count / 4)
    let member = Self.member(column, store)
    // The result of `info` already begins with the store.
    let hasStore = first.starts(with: member)
    if isFirst, !hasStore, JSONValue(text: first)?[column] != nil {
      throw StoreColumnError.nameIsTaken(column)
    }
    for line in lines {
      if !hasStore {
        out.append(member)
        if line.count > 2 { out.append(",") }
      }
      out.append(Array(line.dropFirst(hasStore ? 0 : 1)))
      out.append("\n")
    }
    try sink.write(out.bytes)
  }

  func finish(_ summary: FleetSummary) throws { try array?.finish() }

  /// Returns the beginning of an object, such as `{"store":"A.sqlite"`.
  static func member(_ column: String, _ store: LocalPath) -> [UInt8] {
    Array(JSONValue(encoding: [column: store]).description.utf8.dropLast())
  }
}
