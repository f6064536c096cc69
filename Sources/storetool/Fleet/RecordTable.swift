import StoreDiagnostics
import RecordFormats
import SQLiteAccess

/// Converts the NDJSON records of the workers to tables, CSV or tab-separated values. A new table begins if a record
/// has other members than the previous record.
struct RecordTable: StoreColumn {
  private let column: String
  private let format: RowFormat
  private let style: RowStyle
  private var columns: [String] = []
  /// Records that haven't been written yet. The first ones of a table determine the widths of its columns.
  private var pending: [[JSONValue]] = []
  private var formatter: (any RowFormatter)?
  private var isBehindTable = false

  init(_ column: String, _ format: RowFormat, _ style: RowStyle) {
    self.column = column
    self.format = format
    self.style = style
  }

  mutating func write(_ records: ArraySlice<UInt8>, of store: LocalPath, isFirst: Bool) throws {
    for line in records.split(separator: UInt8(ascii: "\n")) {
      guard case .object(var members)? = JSONValue(text: line)?.content else { continue }
      if members.first?.key == column, members.first?.value.text == "\(store)" {
        members.removeFirst()
      }
      guard !members.contains(where: { $0.key == column }) else {
        throw StoreColumnError.nameIsTaken(column)
      }
      try append(
        [column] + members.map(\.key), [JSONValue(.string("\(store)"))] + members.map(\.value))
    }
  }

  private mutating func append(_ names: [String], _ row: [JSONValue]) throws {
    if names != columns {
      try endTable()
      columns = names
    }
    pending.append(row)
    if pending.count >= PackedRows.rowLimit { try flush() }
  }

  mutating func finish(_ summary: FleetSummary) throws { try endTable() }

  private mutating func endTable() throws {
    try flush()
    guard var formatter else { return }
    var out = ByteBuffer()
    formatter.end(into: &out)
    try OutputFile.standard(for: format).write(out.bytes)
    self.formatter = nil
    isBehindTable = true
  }

  private mutating func flush() throws {
    guard !pending.isEmpty else { return }
    var out = ByteBuffer()
    var formatter = self.formatter ?? newTable(into: &out)
    try formatter.append(
      facts: pending, width: columns.count, shortensIDs: style.fit != nil, into: &out)
    self.formatter = formatter
    pending.removeAll(keepingCapacity: true)
    try OutputFile.standard(for: format).write(out.bytes)
  }

  private func newTable(into out: inout ByteBuffer) -> any RowFormatter {
    if isBehindTable, format.isForPeople || format == .markdown { out.append("\n") }
    var formatter = format.formatter(ofFacts: pending, in: columns, style: style)
    formatter.begin(into: &out)
    return formatter
  }
}
