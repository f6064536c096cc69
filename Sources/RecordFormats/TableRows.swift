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

  /// The number of rows that are examined before the first one is written.
  package static let sampleSize = 1000
  /// The maximum width to which values widen a column. A longer name still widens it.
  package static let widthLimit = 60

  private let shape: RowShape
  private let reader: TableCellReader
  private let style: Style
  private let hasHeader: Bool
  private let isColored: Bool
  private let fit: TableFit?
  /// Whether the first column is a heading above its rows instead of a cell.
  private let sectioned: Bool
  private var sample: [[TableCell]] = []
  /// The widths of the columns that are shown; nil while the sample is collected.
  private var widths: [Int]?
  private var leavesOut = false
  private var section: String?

  package init(_ shape: RowShape, style: Style, sectioned: Bool, shown: RowStyle = RowStyle()) {
    self.shape = shape
    self.style = style
    self.sectioned = sectioned
    hasHeader = shown.hasHeader
    isColored = shown.isColored && style == .plain
    // Markdown is usually copied to another program, even if it is printed on a terminal.
    fit = style == .plain ? shown.fit : nil
    var reader = TableCellReader(shape)
    reader.showsNull = shown.showsNull
    reader.shortensIDs = fit != nil
    self.reader = reader
  }

  package mutating func begin(into out: inout ByteBuffer) {}

  package mutating func append(_ rows: PackedRows, into out: inout ByteBuffer) throws {
    for index in 0..<rows.count {
      let row = UnsafePointer(rows.cells(ofRow: index))
      let cells = try shape.columns.indices.map {
        try reader.cell($0, of: row, in: rows, escaped: style.escaped)
      }
      if widths == nil {
        sample.append(cells)
        if sample.count == Self.sampleSize { writeSample(into: &out) }
      } else {
        writeRow(cells, into: &out)
      }
    }
  }

  package mutating func end(into out: inout ByteBuffer) {
    if widths == nil { writeSample(into: &out) }
  }

  // MARK: Widths

  /// The index of the first column of the table. If rows have sections, their names aren't part of the table.
  private var first: Int { sectioned ? 1 : 0 }

  private mutating func writeSample(into out: inout ByteBuffer) {
    let demands = shape.columns.indices.dropFirst(first).map { column in
      ColumnWidths.Demand(
        kind: shape.columns[column].content.demand,
        header: hasHeader ? DisplayWidth.of(style.escaped(shape.columns[column].name)) : 0,
        value: sample.reduce(0) { max($0, $1[column].width) },
        leastValue: shape.columns[column].content.leastWidth)
    }
    if let fit {
      let fitted = ColumnWidths(demands, within: fit.width)
      widths = fitted.widths
      leavesOut = fitted.leavesOut
      fit.leftOut.add(shape.columns.dropFirst(first + fitted.widths.count).map(\.name))
    } else {
      widths = demands.map { max($0.header, min($0.value, Self.widthLimit), style.minimumWidth) }
    }
    if !sectioned { writeHeader(into: &out) }
    for cells in sample { writeRow(cells, into: &out) }
    sample = []
  }

  // MARK: Lines

  private func writeHeader(into out: inout ByteBuffer) {
    guard hasHeader, let widths else { return }
    let names = shape.columns.map { TableCell(style.escaped($0.name)) }
    writeLine(names, areNames: true, into: &out)
    var rules = widths.enumerated().map { index, width in
      let dashes = String(repeating: "-", count: width)
      let isRight = style == .markdown && shape.columns[first + index].content.demand == .number
      return isRight ? dashes.dropLast() + ":" : dashes
    }
    if leavesOut { rules.append("-") }
    out.append(style.line(rules))
  }

  private mutating func writeRow(_ cells: [TableCell], into out: inout ByteBuffer) {
    if sectioned, let name = cells.first, section != name.text {
      if section != nil { out.append("\n") }
      section = name.text
      let heading = name.isNull || name.text.isEmpty ? "(none)" : name.text
      out.append(fit.map { DisplayWidth.cut(heading, to: $0.width) } ?? heading)
      out.append("\n")
      writeHeader(into: &out)
    }
    writeLine(cells, areNames: false, into: &out)
  }

  private func writeLine(
    _ cells: [TableCell], areNames: Bool, into out: inout ByteBuffer
  ) {
    guard let widths else { return }
    var padded = zip(cells.dropFirst(first), widths).enumerated().map { index, cell in
      let isNumber = shape.columns[first + index].content.demand == .number
      return cell.0.padded(
        to: cell.1, isRight: isNumber,
        isCut: fit != nil && (areNames || shape.columns[first + index].content.leastWidth != nil),
        isColored: isColored)
    }
    if leavesOut { padded.append("…") }
    out.append(style.line(padded))
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

  fileprivate func line(_ cells: [String]) -> String {
    switch self {
    case .markdown: "| " + cells.joined(separator: " | ") + " |\n"
    case .plain: cells.joined(separator: "  ").trimmed + "\n"
    }
  }

  /// Returns text that remains on its line and in its column, without control characters for the terminal.
  fileprivate func escaped(_ text: String) -> String {
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
