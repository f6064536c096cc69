import RecordFormats
import StoreComparison
import SQLiteAccess

/// Prints rows that differ, as they are found.
///
/// JSON has one object per row, with the differing values in `old` and `new`. The flat formats have one line per
/// differing property, and at least one per row.
final class DifferenceOutput {
  private let sink: any ByteSink
  private let array: JSONArraySink?
  private let isByKey: Bool
  private var formatter: (any RowFormatter)?
  private let lines: PackedRows
  private var buffer = ByteBuffer()
  private var scratch = ByteBuffer(capacity: 256)

  /// - Parameter isByKey: Whether rows match by a key, so that a row can have another object ID in each store.
  init(_ format: RowFormat, isByKey: Bool, to sink: some ByteSink) throws {
    self.isByKey = isByKey
    let columns =
      ["change", "entity", "id"] + (isByKey ? ["oldID"] : []) + ["property", "old", "new"]
    lines = PackedRows(width: columns.count)
    array = format == .json ? JSONArraySink(sink) : nil
    self.sink = array ?? sink
    guard format != .json && format != .ndjson else { return }
    let shape = RowShape(columns: columns.map { .init(name: $0, content: .text) })
    formatter = format.formatter(for: shape)
    formatter?.begin(into: &buffer)
  }

  func append(_ difference: VisitedDifference) throws {
    if formatter == nil {
      try appendObject(difference)
    } else {
      try appendLines(difference)
    }
    if buffer.count > 1 << 16 { try flush() }
  }

  func finish() throws {
    try formatter?.append(lines, into: &buffer)
    formatter?.end(into: &buffer)
    try flush()
    try array?.finish()
  }

  private func flush() throws {
    try sink.write(buffer.bytes)
    buffer.removeAll()
  }

  // MARK: JSON

  private func appendObject(_ difference: VisitedDifference) throws {
    buffer.append("{\"change\":")
    buffer.append(json: difference.kind.rawValue)
    buffer.append(",\"entity\":")
    buffer.append(json: difference.entity.name)
    buffer.append(",\"id\":")
    try appendID(of: difference.new ?? difference.old)
    if isByKey {
      buffer.append(",\"oldID\":")
      try appendID(of: difference.new == nil ? nil : difference.old)
    }
    buffer.append(",\"properties\":[")
    if difference.kind == .changed {
      for (place, index) in difference.properties.enumerated() {
        if place > 0 { buffer.append(",") }
        buffer.append(json: difference.entity.properties[index].name)
      }
    }
    buffer.append("],\"old\":")
    try appendValues(difference, of: difference.old)
    buffer.append(",\"new\":")
    try appendValues(difference, of: difference.new)
    buffer.append("}\n")
  }

  private func appendID(of row: VisitedDifference.Row?) throws {
    guard let row else { return buffer.append("null") }
    try buffer.append(jsonOf: 0, of: row.cells, in: row.rows, row.shape)
  }

  private func appendValues(_ difference: VisitedDifference, of row: VisitedDifference.Row?) throws
  {
    guard let row else { return buffer.append("null") }
    buffer.append("{")
    for (place, index) in difference.properties.enumerated() {
      if place > 0 { buffer.append(",") }
      buffer.append(json: difference.entity.properties[index].name)
      buffer.append(":")
      let column = VisitedDifference.Row.column(ofProperty: index)
      try buffer.append(jsonOf: column, of: row.cells, in: row.rows, row.shape)
    }
    buffer.append("}")
  }

  // MARK: Lines

  private func appendLines(_ difference: VisitedDifference) throws {
    var isShown = false
    for index in difference.properties {
      let column = VisitedDifference.Row.column(ofProperty: index)
      // NULL values of an added or removed row are omitted.
      guard difference.kind == .changed || difference.has(column) else { continue }
      try appendLine(difference, difference.entity.properties[index].name, column)
      isShown = true
    }
    if !isShown { try appendLine(difference, nil, nil) }
  }

  private func appendLine(
    _ difference: VisitedDifference, _ property: String?, _ column: Int?
  ) throws {
    var cells = [cell(difference.kind.rawValue), cell(difference.entity.name)]
    cells.append(try cell(of: difference.new ?? difference.old, 0))
    if isByKey { cells.append(try cell(of: difference.new == nil ? nil : difference.old, 0)) }
    cells.append(property.map(cell) ?? .null)
    cells.append(try column.map { try cell(of: difference.old, $0) } ?? .null)
    cells.append(try column.map { try cell(of: difference.new, $0) } ?? .null)
    for (index, cell) in cells.enumerated() { lines.nextCells[index] = cell }
    lines.commitRow()
    guard lines.isFull else { return }
    try formatter?.append(lines, into: &buffer)
    lines.removeAll()
  }

  private func cell(_ text: String) -> PackedRows.Cell {
    var text = text
    return text.withUTF8 { lines.cell(.text, $0.baseAddress, count: $0.count) }
  }

  private func cell(of row: VisitedDifference.Row?, _ column: Int) throws -> PackedRows.Cell {
    guard let row, row.has(column) else { return .null }
    scratch.removeAll()
    try scratch.append(textOf: column, of: row.cells, in: row.rows, row.shape)
    return lines.cell(.text, scratch.bytes.baseAddress, count: scratch.count)
  }
}

extension VisitedDifference {
  fileprivate func has(_ column: Int) -> Bool {
    [old, new].contains { $0?.has(column) == true }
  }
}

extension VisitedDifference.Row {
  fileprivate var cells: UnsafePointer<PackedRows.Cell> { UnsafePointer(rows.cells(ofRow: 0)) }

  fileprivate func has(_ column: Int) -> Bool { cells[shape.cells[column]].kind != .null }
}
