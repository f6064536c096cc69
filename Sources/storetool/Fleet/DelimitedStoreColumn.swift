import StoreDiagnostics
import RecordFormats

/// Writes CSV or tab-separated values with one header, and with the store as the first field of each record.
struct DelimitedStoreColumn: StoreColumn {
  private let column: String
  private let isCSV: Bool
  private let hasHeader: Bool
  private var columns: [String]?

  init(_ column: String, _ format: RowFormat, hasHeader: Bool) {
    self.column = column
    isCSV = format == .csv
    self.hasHeader = hasHeader
  }

  func wholeRecords(in bytes: [UInt8]) -> Int {
    guard isCSV else { return bytes.lastIndex(of: Self.lineFeed).map { $0 + 1 } ?? 0 }
    var end = 0
    eachRecord(in: bytes[...]) { end = $0.endIndex }
    return end
  }

  private static let lineFeed = UInt8(ascii: "\n")

  /// Calls `visit` for each complete record, including its line feed.
  private func eachRecord(in bytes: ArraySlice<UInt8>, _ visit: (ArraySlice<UInt8>) -> Void) {
    var start = bytes.startIndex
    var isQuoted = false
    for index in bytes.indices {
      switch bytes[index] {
      // A doubled quotation mark toggles twice.
      case UInt8(ascii: "\"") where isCSV: isQuoted.toggle()
      case Self.lineFeed where !isQuoted:
        visit(bytes[start...index])
        start = index + 1
      default: break
      }
    }
  }

  mutating func write(_ records: ArraySlice<UInt8>, of store: LocalPath, isFirst: Bool) throws {
    var out = ByteBuffer(capacity: records.count * 2)
    var rest = records
    if isFirst { rest = try withoutHeader(records, into: &out) }
    var field = ByteBuffer(capacity: 256)
    append("\(store)", to: &field)
    eachRecord(in: rest) { record in
      out.append(field.bytes)
      out.append(Array(record))
    }
    try OutputFile.standard.write(out.bytes)
  }

  func finish(_ summary: FleetSummary) {}

  /// Returns a store's records without their header. The first store's header is appended to `out`, unless headers are
  /// disabled.
  private mutating func withoutHeader(
    _ records: ArraySlice<UInt8>, into out: inout ByteBuffer
  ) throws -> ArraySlice<UInt8> {
    var header = records[records.startIndex..<records.startIndex]
    eachRecord(in: records) { if header.isEmpty { header = $0 } }
    let names = String(decoding: header.dropLast(), as: UTF8.self)
      .split(separator: isCSV ? "," : "\t", omittingEmptySubsequences: false).map(String.init)
    if let columns {
      guard columns == names else { throw StoreColumnError.otherColumns(names, than: columns) }
    } else {
      guard !names.contains(column) else { throw StoreColumnError.nameIsTaken(column) }
      columns = names
      if hasHeader {
        append(column, to: &out)
        out.append(Array(header))
      }
    }
    return records.dropFirst(header.count)
  }

  /// Appends a field and the delimiter.
  private func append(_ text: String, to out: inout ByteBuffer) {
    var text = text
    text.withUTF8 { isCSV ? out.append(csvField: $0) : out.append(tsvField: $0) }
    out.append(isCSV ? "," : "\t")
  }
}
