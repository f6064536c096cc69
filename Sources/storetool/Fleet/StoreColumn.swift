import StoreDiagnostics
import RecordFormats

/// Puts the store before each row that a worker has written, and all stores' rows into one stream.
protocol StoreColumn {
  /// How many of the bytes are whole records.
  func wholeRecords(in bytes: [UInt8]) -> Int

  /// Writes whole records of one store.
  ///
  /// - Parameter isFirst: whether nothing of the store was written before.
  /// - Throws: `StoreColumnError` for rows that don't fit to those before; what writing throws.
  mutating func write(_ records: ArraySlice<UInt8>, of store: FilePath, isFirst: Bool) throws

  /// The sum of what a command has counted; nil where it counts nothing.
  var counted: Int? { get }

  /// Writes what stands behind all rows.
  mutating func finish(_ summary: FleetSummary) throws
}

extension StoreColumn {
  var counted: Int? { nil }

  func wholeRecords(in bytes: [UInt8]) -> Int {
    bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  }
}

/// Why the rows of a store can't stand below those of the others.
enum StoreColumnError: Error, Hashable {
  /// A delimited stream has one header.
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
      its columns (\(own.joined(separator: ", "))) differ from those of the previous stores \
      (\(others.joined(separator: ", "))): choose columns with --select, or use --format ndjson
      """
    case .nameIsTaken(let name):
      "its rows already have a column '\(name)': rename the column of the stores with --column"
    }
  }
}

/// Text for people, each line behind the store's path.
struct StoreLines: StoreColumn {
  func write(_ records: ArraySlice<UInt8>, of store: FilePath, isFirst: Bool) throws {
    try OutputFile.standard.write(Self.marked(records, store))
  }

  func finish(_ summary: FleetSummary) {}

  static func marked(_ lines: ArraySlice<UInt8>, _ store: FilePath) -> String {
    lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .dropLast(lines.last == UInt8(ascii: "\n") ? 1 : 0)
      .map { $0.isEmpty ? "\(store):\n" : "\(store): \(String(decoding: $0, as: UTF8.self))\n" }
      .joined()
  }
}

/// A JSON object a line: the store becomes its first member.
struct StoreMember: StoreColumn {
  private let column: String
  private let sink: any ByteSink
  /// Where the lines become one array.
  private let array: JSONArraySink?

  init(_ column: String, asArray: Bool) {
    self.column = column
    array = asArray ? JSONArraySink(OutputFile.standard) : nil
    sink = array ?? OutputFile.standard
  }

  func write(_ records: ArraySlice<UInt8>, of store: FilePath, isFirst: Bool) throws {
    let lines = records.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first else { return }
    var out = ByteBuffer(capacity: records.count + records.count / 4)
    let member = Self.member(column, store)
    // `info` begins with the store itself.
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

  /// `{"store":"A.sqlite"`
  static func member(_ column: String, _ store: FilePath) -> [UInt8] {
    Array(JSONValue(encoding: [column: store]).description.utf8.dropLast())
  }
}
