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
  private let reader: TableCellReader
  private let style: RowStyle
  /// The names, padded to the same width.
  private let names: [String]
  private let rule: String
  private var count = 0

  package init(_ shape: RowShape, style: RowStyle) {
    var reader = TableCellReader(shape)
    reader.showsNull = style.showsNull
    self.reader = reader
    self.style = style
    let names = shape.columns.map { TableCell(ControlCharacters.escaped(in: $0.name)) }
    let width = names.map(\.width).max() ?? 0
    self.names = names.map { $0.padded(to: width, isRight: false, isCut: false, isColored: false) }
    rule = String(repeating: "-", count: width)
  }

  package mutating func begin(into out: inout ByteBuffer) {}

  package mutating func append(_ rows: PackedRows, into out: inout ByteBuffer) throws {
    for index in 0..<rows.count {
      count += 1
      if style.hasHeader {
        out.append("-[ \(count) ]\(rule)\n")
      } else if count > 1 {
        out.append("\n")
      }
      let row = UnsafePointer(rows.cells(ofRow: index))
      for column in names.indices {
        let cell = try reader.cell(column, of: row, in: rows) { ControlCharacters.escaped(in: $0) }
        let value = cell.padded(to: 0, isRight: false, isCut: false, isColored: style.isColored)
        out.append(value.isEmpty ? names[column].trimmed : "\(names[column])  \(value)")
        out.append("\n")
      }
    }
  }

  package mutating func end(into out: inout ByteBuffer) {}
}

extension String {
  /// The text without trailing spaces.
  var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
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
