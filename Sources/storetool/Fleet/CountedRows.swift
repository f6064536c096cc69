import StoreDiagnostics
import RecordFormats

/// Records that say how many rows there are, or were changed, with their sum.
struct CountedRows: StoreColumn {
  private var column: any StoreColumn
  private var sum = 0

  init(_ column: any StoreColumn) {
    self.column = column
  }

  var counted: Int? { sum }

  mutating func write(_ records: ArraySlice<UInt8>, of store: FilePath, isFirst: Bool) throws {
    for line in records.split(separator: UInt8(ascii: "\n")) {
      sum += JSONValue(text: line)?["count"]?.number ?? 0
    }
    try column.write(records, of: store, isFirst: isFirst)
  }

  mutating func finish(_ summary: FleetSummary) throws { try column.finish(summary) }
}
