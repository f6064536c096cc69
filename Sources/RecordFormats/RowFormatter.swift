package import SQLiteAccess
import StoreDiagnostics
import Synchronization

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

/// Rows one field a line, for people: what a table has no room for.
///
///     -[ 1 ]---
///     name  Ray
///     age   31
package struct VerticalRows: RowFormatter {
  private let reader: TableCellReader
  private let style: RowStyle
  /// Padded to one width.
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
  /// Without the spaces at the end.
  var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}

/// How rows are shown beyond the rules of their format. Without anything else it is how a file or a
/// pipe gets them: whole.
package struct RowStyle: Sendable {
  /// Tables and delimited text begin with the columns' names.
  package var hasHeader = true
  /// A table says NULL where there is no value, and shows the text NULL in quotes.
  package var showsNull = false
  /// What is no value is dim.
  package var isColored = false
  /// The terminal that a table has to fit; nil writes it as wide as it is.
  package var fit: TableFit?

  package init() {}
}

/// A terminal that tables have to fit: long values are cut, object IDs lose what all of them begin
/// with, and columns that find no place are left out.
package struct TableFit: Sendable {
  /// In cells.
  package let width: Int
  package let leftOut = LeftOutColumns()

  package init(width: Int) {
    self.width = width
  }
}

/// The columns that a table had no room for, for whoever tells of them.
package final class LeftOutColumns: Sendable {
  private let list = Mutex<[String]>([])

  package var names: [String] { list.withLock { $0 } }

  func add(_ names: some Sequence<String>) {
    list.withLock { list in list += names.filter { !list.contains($0) } }
  }
}
