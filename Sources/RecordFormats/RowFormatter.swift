package import SQLiteAccess
import StoreDiagnostics
import Synchronization

/// Converts rows to the bytes of an output format. A formatter uses neither a connection nor the destination of the
/// bytes.
package protocol RowFormatter {
  /// Appends the text before the first row.
  mutating func begin(into out: inout ByteBuffer)

  mutating func append(_ rows: PackedRows, into out: inout ByteBuffer) throws

  /// Appends the text after the last row.
  mutating func end(into out: inout ByteBuffer)
}

/// The output formats of rows.
package enum RowFormat: String, Hashable, Sendable, CaseIterable {
  case table, vertical, json, ndjson, csv, tsv, markdown

  /// - Parameter sectioned: whether the first column is the name of the row's section. Only `json` and `table` use
  ///   sections.
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

  /// Whether the format is for people. Such a formatter escapes control characters itself, and may use colors.
  package var isForPeople: Bool {
    switch self {
    case .table, .vertical: true
    case .json, .ndjson, .csv, .tsv, .markdown: false
    }
  }
}

/// Rows with one line per field, for rows that are too wide for a table.
///
///     -[ 1 ]---
///     name  Ray
///     age   31
package struct VerticalRows: RowFormatter {
  private let style: RowStyle
  private let columnCount: Int
  /// The names of the columns, as one row.
  private let names: TableCells
  /// The width of the longest name.
  private let nameWidth: Int
  /// The rows of a batch.
  private let pending: TableCells
  private var count = 0

  package init(_ shape: RowShape, style: RowStyle) {
    self.style = style
    columnCount = shape.columns.count
    let names = TableCells(shape, style: .plain, shown: style)
    names.append(shape.columns.map(\.name))
    self.names = names
    nameWidth = shape.columns.indices.map(names.width(ofColumn:)).max() ?? 0
    pending = TableCells(shape, style: .plain, shown: style)
  }

  package mutating func begin(into out: inout ByteBuffer) {}

  package mutating func append(_ rows: PackedRows, into out: inout ByteBuffer) throws {
    for index in 0..<rows.count { try pending.append(rows.cells(ofRow: index), in: rows) }
    for row in 0..<pending.rowCount { write(row, into: &out) }
    pending.removeAll()
  }

  package mutating func end(into out: inout ByteBuffer) {}

  private mutating func write(_ row: Int, into out: inout ByteBuffer) {
    count += 1
    if style.hasHeader {
      out.append("-[ ")
      out.append(decimal: Int64(count))
      out.append(" ]")
      out.append(UInt8(ascii: "-"), count: nameWidth)
      out.append("\n")
    } else if count > 1 {
      out.append("\n")
    }
    for column in 0..<columnCount {
      let start = out.count
      names.write(column, ofRow: 0, to: nameWidth, into: &out)
      if pending.isEmpty(column, ofRow: row) {
        out.trimSpaces(from: start)
      } else {
        out.append("  ")
        pending.write(column, ofRow: row, into: &out)
      }
      out.append("\n")
    }
  }
}

/// The display options of rows. By default, all values are complete, as in a file or a pipe.
package struct RowStyle: Sendable {
  /// Whether tables and delimited text begin with the names of columns, and whether `vertical` numbers the rows.
  package var hasHeader = true
  /// Whether `table`, `vertical` and `markdown` show NULL for missing values, and the text NULL in quotes.
  package var showsNull = false
  /// Whether missing values are dimmed.
  package var isColored = false
  /// The terminal to which a table is fitted; nil for any width.
  package var fit: TableFit?

  package init() {}
}

/// A terminal to which tables are fitted. Long values are cut, object IDs are shortened, and columns that don't fit are
/// omitted.
package struct TableFit: Sendable {
  /// The width in terminal cells.
  package let width: Int
  package let leftOut = LeftOutColumns()

  package init(width: Int) {
    self.width = width
  }
}

/// The names of columns that a table has omitted, for a message.
package final class LeftOutColumns: Sendable {
  private let list = Mutex<[String]>([])

  package var names: [String] { list.withLock { $0 } }

  func add(_ names: some Sequence<String>) {
    list.withLock { list in list += names.filter { !list.contains($0) } }
  }
}
