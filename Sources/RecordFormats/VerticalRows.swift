package import SQLiteAccess
import StoreDiagnostics

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
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
