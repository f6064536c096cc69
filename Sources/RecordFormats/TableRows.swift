package import SQLiteAccess
import StoreDiagnostics

/// Rows as a table for people: aligned columns, or a Markdown table.
///
/// The first rows determine the widths of the columns, so that a million rows can be streamed. The widths are limited,
/// so that a single long text doesn't widen all rows. A cell that is wider than its column makes its line longer. If
/// the table is fitted to a terminal, the cell is cut instead, except for numbers, Booleans and object IDs.
package struct TableRows: RowFormatter {
  package enum Style: Hashable, Sendable {
    case plain, markdown
  }

  private struct Column {
    let index: Int
    let width: Int
    let isNumber: Bool
    /// Whether longer values are cut.
    let isCut: Bool
  }

  /// The number of rows that are examined before the first one is written.
  package static let sampleSize = 1000
  /// The maximum width to which values widen a column. A longer name still widens it.
  package static let widthLimit = 60

  private let shape: RowShape
  private let style: Style
  private let hasHeader: Bool
  private let fit: TableFit?
  /// Whether the first column is a heading above its rows instead of a cell.
  private let sectioned: Bool
  /// The rows that aren't written yet: the sample, or a batch.
  private let pending: TableCells
  /// The names of the columns. After the sample is examined, also the line below the names.
  private let header: TableCells
  /// The columns that are shown; nil while the sample is collected.
  private var columns: [Column]?
  private var leavesOut = false
  private var section: String?

  package init(_ shape: RowShape, style: Style, sectioned: Bool, shown: RowStyle = RowStyle()) {
    self.shape = shape
    self.style = style
    self.sectioned = sectioned
    hasHeader = shown.hasHeader
    // Markdown is usually copied to another program, even if it is printed on a terminal.
    fit = style == .plain ? shown.fit : nil
    pending = TableCells(shape, style: style, shown: shown, shortensIDs: fit != nil)
    header = TableCells(shape, style: style, shown: shown)
    header.append(shape.columns.map(\.name))
  }

  package mutating func begin(into out: inout ByteBuffer) {}

  package mutating func append(_ rows: PackedRows, into out: inout ByteBuffer) throws {
    for index in 0..<rows.count {
      try pending.append(rows.cells(ofRow: index), in: rows)
      if columns == nil, pending.rowCount == Self.sampleSize { beginTable(into: &out) }
    }
    if columns != nil { writePending(into: &out) }
  }

  package mutating func end(into out: inout ByteBuffer) {
    guard columns == nil else { return }
    beginTable(into: &out)
    writePending(into: &out)
  }

  // MARK: Widths

  /// Determines the widths of the columns from the rows of the sample.
  private mutating func beginTable(into out: inout ByteBuffer) {
    // If rows have sections, their names aren't part of the table.
    let all = shape.columns.indices.dropFirst(sectioned ? 1 : 0)
    let demands = all.map { column in
      ColumnWidths.Demand(
        kind: shape.columns[column].content.demand,
        header: hasHeader ? header.width(ofColumn: column) : 0,
        value: pending.width(ofColumn: column),
        leastValue: shape.columns[column].content.leastWidth)
    }
    let widths: [Int]
    if let fit {
      let fitted = ColumnWidths(demands, within: fit.width)
      widths = fitted.widths
      leavesOut = fitted.leavesOut
      fit.leftOut.add(shape.columns[all].dropFirst(widths.count).map(\.name))
    } else {
      widths = demands.map { max($0.header, min($0.value, Self.widthLimit), style.minimumWidth) }
    }
    let columns = zip(all, widths).map { index, width in
      let content = shape.columns[index].content
      return Column(
        index: index, width: width, isNumber: content.demand == .number,
        isCut: fit != nil && content.leastWidth != nil)
    }
    self.columns = columns
    var rules = Array(repeating: "", count: shape.columns.count)
    for column in columns {
      let dashes = String(repeating: "-", count: column.width)
      rules[column.index] =
        style == .markdown && column.isNumber ? dashes.dropLast() + ":" : dashes
    }
    header.append(rules)
    if !sectioned { writeHeader(into: &out) }
  }

  // MARK: Lines

  private func writeHeader(into out: inout ByteBuffer) {
    guard hasHeader else { return }
    writeLine(0, of: header, isCut: fit != nil, into: &out)
    writeLine(1, of: header, omitted: "-", into: &out)
  }

  private mutating func writePending(into out: inout ByteBuffer) {
    for row in 0..<pending.rowCount {
      if sectioned { writeHeading(ofRow: row, into: &out) }
      writeLine(row, of: pending, into: &out)
    }
    pending.removeAll()
  }

  /// Writes the name of a section and the header before the first row of the section.
  private mutating func writeHeading(ofRow row: Int, into out: inout ByteBuffer) {
    let name = pending.text(0, ofRow: row)
    guard section != name else { return }
    if section != nil { out.append("\n") }
    section = name
    let heading = name.isEmpty || pending.isNull(0, ofRow: row) ? "(none)" : name
    out.append(fit.map { DisplayWidth.cut(heading, to: $0.width) } ?? heading)
    out.append("\n")
    writeHeader(into: &out)
  }

  /// - Parameters:
  ///   - isCut: whether longer numbers are cut, too.
  ///   - omitted: the text in place of the columns that don't fit.
  private func writeLine(
    _ row: Int, of cells: TableCells, isCut: Bool = false, omitted: StaticString = "…",
    into out: inout ByteBuffer
  ) {
    guard let columns else { return }
    let start = out.count
    if style == .markdown { out.append("| ") }
    for (index, column) in columns.enumerated() {
      if index > 0 { out.append(style.separator) }
      cells.write(
        column.index, ofRow: row, to: column.width, isRight: column.isNumber,
        isCut: isCut || column.isCut, into: &out)
    }
    if leavesOut {
      out.append(style.separator)
      out.append(omitted)
    }
    switch style {
    case .markdown: out.append(" |")
    case .plain: out.trimSpaces(from: start)
    }
    out.append("\n")
  }
}

extension RowShape.Content {
  fileprivate var demand: ColumnWidths.Demand.Kind {
    switch self {
    case .integer, .double, .float, .decimal: .number
    case .text, .data, .externalData, .objectIDs: .text
    case .boolean, .date, .uuid, .objectID: .fixed
    }
  }

  /// The minimum width in terminal cells; nil if values must not be cut. A cut number would be a different number, and
  /// a cut object ID would be invalid. The day of a date and the beginning of a UUID are useful without the rest.
  fileprivate var leastWidth: Int? {
    switch self {
    case .integer, .double, .float, .decimal, .objectID, .boolean: nil
    case .date: 11
    case .uuid: 9
    case .text, .data, .externalData, .objectIDs: 6
    }
  }
}

extension TableRows.Style {
  /// The minimum width of a column. Markdown requires three characters below a column's name: `---` or `--:`.
  fileprivate var minimumWidth: Int { self == .markdown ? 3 : 1 }

  /// The text between two columns.
  fileprivate var separator: StaticString { self == .markdown ? " | " : "  " }

  /// Returns text that remains on its line and in its column, without control characters for the terminal.
  func escaped(_ text: String) -> String {
    guard self == .markdown else { return ControlCharacters.escaped(in: text) }
    let text = ControlCharacters.escaped(in: text, keeping: ["\n"])
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "|") }) else {
      return text
    }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "<br>"
      case "|": result += "\\|"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
