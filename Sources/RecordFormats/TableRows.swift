package import StoreSQL
import StoreDiagnostics

/// Rows as a table for people: aligned columns, or a Markdown table.
///
/// The widths come from the first rows, up to a limit, so that a million rows stream through and one
/// long text does not pad all of them; a cell that is wider pushes its line out and loses nothing.
package struct TableRows: RowFormatter {
  package enum Style: Hashable, Sendable {
    case plain, markdown
  }

  /// The rows that are looked at before the first one is written.
  package static let sampleSize = 1000
  /// No column is padded to more cells than this.
  package static let widthLimit = 60

  private let shape: RowShape
  private let style: Style
  /// The first column is a heading over its rows, not a cell.
  private let sectioned: Bool
  private var sample: [[String]] = []
  /// Nil as long as the sample is being collected.
  private var widths: [Int]?
  private var section: String?
  private var scratch = ScratchBuffer()

  package init(_ shape: RowShape, style: Style, sectioned: Bool) {
    self.shape = shape
    self.style = style
    self.sectioned = sectioned
  }

  package mutating func begin(into out: inout ByteBuffer) {}

  package mutating func append(_ rows: PackedRows, into out: inout ByteBuffer) throws {
    for index in 0..<rows.count {
      let cells = try texts(ofRow: index, in: rows)
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

  // MARK: Cells

  private mutating func texts(ofRow index: Int, in rows: PackedRows) throws -> [String] {
    let row = UnsafePointer(rows.cells(ofRow: index))
    return try shape.columns.indices.map { column in
      try scratch.text { out in
        try out.append(textOf: column, of: row, in: rows, shape)
      }
    }.map(style.escaped)
  }

  // MARK: Lines

  private mutating func writeSample(into out: inout ByteBuffer) {
    let first = sectioned ? 1 : 0
    widths = shape.columns.indices.map { column in
      guard column >= first else { return 0 }
      let cells = sample.map { DisplayWidth.of($0[column]) }
      return max(
        DisplayWidth.of(style.escaped(shape.columns[column].name)),
        min(cells.max() ?? 0, Self.widthLimit), style.minimumWidth)
    }
    if !sectioned { writeHeader(into: &out) }
    for cells in sample { writeRow(cells, into: &out) }
    sample = []
  }

  private func writeHeader(into out: inout ByteBuffer) {
    writeLine(shape.columns.map { style.escaped($0.name) }, into: &out)
    guard let widths else { return }
    let first = sectioned ? 1 : 0
    let rules = shape.columns.indices.dropFirst(first).map { column in
      let dashes = String(repeating: "-", count: widths[column])
      let isRight = style == .markdown && shape.columns[column].content.isNumeric
      return isRight ? dashes.dropLast() + ":" : dashes
    }
    out.append(style.line(rules))
  }

  private mutating func writeRow(_ cells: [String], into out: inout ByteBuffer) {
    if sectioned, let name = cells.first, section != name {
      if section != nil { out.append("\n") }
      section = name
      out.append(name.isEmpty ? "(none)" : name)
      out.append("\n")
      writeHeader(into: &out)
    }
    writeLine(cells, into: &out)
  }

  private func writeLine(_ cells: [String], into out: inout ByteBuffer) {
    guard let widths else { return }
    let padded = cells.indices.dropFirst(sectioned ? 1 : 0).map { column in
      let blank = String(
        repeating: " ", count: max(0, widths[column] - DisplayWidth.of(cells[column])))
      return shape.columns[column].content.isNumeric ? blank + cells[column] : cells[column] + blank
    }
    out.append(style.line(padded))
  }
}

extension TableRows.Style {
  /// Markdown wants three dashes under a heading.
  fileprivate var minimumWidth: Int { self == .markdown ? 3 : 1 }

  fileprivate func line(_ cells: [String]) -> String {
    switch self {
    case .markdown: return "| " + cells.joined(separator: " | ") + " |\n"
    case .plain:
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }
  }

  /// A cell stays on its line and in its column, and sends nothing to the terminal but text.
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

/// A byte buffer that a copyable value can keep.
private final class ScratchBuffer {
  private var buffer = ByteBuffer(capacity: 256)

  func text(_ fill: (inout ByteBuffer) throws -> Void) rethrows -> String {
    buffer.removeAll()
    try fill(&buffer)
    return buffer.text
  }
}
