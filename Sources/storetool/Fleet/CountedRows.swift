import StoreDiagnostics
import RecordFormats

/// Records with the number of rows that a request found, changed or deleted, with their sum.
struct CountedRows: StoreColumn {
  private var column: any StoreColumn
  private var sum = 0

  init(_ column: any StoreColumn) {
    self.column = column
  }

  var counted: Int? { sum }

  mutating func write(_ records: ArraySlice<UInt8>, of store: FilePath, isFirst: Bool) throws {
    for line in records.split(separator: UInt8(ascii: "\n")) {
      sum += JSONValue(text: line)?.countedRows ?? 0
    }
    try column.write(records, of: store, isFirst: isFirst)
  }

  mutating func finish(_ summary: FleetSummary) throws { try column.finish(summary) }
}

extension JSONValue {
  /// The rows that a record of `fetch`, `batch-update`, `link` or `batch-delete` counts.
  fileprivate var countedRows: Int {
    if let count = self["count"]?.number ?? self["changed"]?.number { return count }
    guard case .object(let deleted)? = self["deleted"]?.content else { return 0 }
    return deleted.reduce(0) { $0 + ($1.value.number ?? 0) }
  }
}
