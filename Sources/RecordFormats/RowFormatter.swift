package import SQLiteAccess

/// Turns rows into bytes of one format. Pure: it knows neither SQLite nor where the bytes go.
package protocol RowFormatter {
  /// What stands before the first row.
  mutating func begin(into out: inout ByteBuffer)

  mutating func append(_ rows: PackedRows, into out: inout ByteBuffer) throws

  /// What stands after the last row.
  mutating func end(into out: inout ByteBuffer)
}

/// The formats that rows can be written in.
package enum RowFormat: String, Hashable, Sendable, CaseIterable {
  case table, vertical, json, ndjson, csv, tsv, markdown

  /// - Parameters:
  ///   - sectioned: the first column names the section that the row belongs to.
  ///   - style: what a terminal or the user wants besides.
  package func formatter(
    for shape: RowShape, sectioned: Bool = false, style: RowStyle = RowStyle()
  ) -> any RowFormatter {
    switch self {
    case .ndjson: JSONRows(shape, layout: .lines)
    case .json: JSONRows(shape, layout: sectioned ? .sections : .array)
    case .csv: DelimitedRows(shape, dialect: .csv, hasHeader: style.hasHeader)
    case .tsv: DelimitedRows(shape, dialect: .tsv, hasHeader: style.hasHeader)
    case .markdown: TableRows(shape, style: .markdown, sectioned: false, shown: style)
    case .table: TableRows(shape, style: .plain, sectioned: sectioned, shown: style)
    case .vertical: VerticalRows(shape, style: style)
    }
  }

  /// Whether it is for people: it shows control characters itself, and may be colored.
  package var isForPeople: Bool {
    switch self {
    case .table, .vertical: true
    case .json, .ndjson, .csv, .tsv, .markdown: false
    }
  }
}
