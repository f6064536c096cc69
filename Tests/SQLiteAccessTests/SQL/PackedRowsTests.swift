import SQLiteAccess
import Testing

/// Rows that are passed between two threads.
struct PackedRowsTests {
  private func cell(_ text: String, in rows: PackedRows) -> PackedRows.Cell {
    Array(text.utf8).withUnsafeBytes { rows.cell(.text, $0.baseAddress, count: $0.count) }
  }

  /// `1` and `text 1`, and so on.
  private func fill(_ rows: PackedRows, _ count: Int) {
    for number in 1...count {
      rows.nextCells[0] = .integer(Int64(number))
      rows.nextCells[1] = cell("text \(number)", in: rows)
      rows.commitRow(at: TextPosition(line: number, column: 3), given: UInt32(number))
    }
  }

  @Test func whatIsPutInComesOut() {
    let rows = PackedRows(width: 2)
    fill(rows, 3)
    #expect(rows.count == 3)
    for row in 0..<3 {
      let cells = rows.cells(ofRow: row)
      #expect(rows.value(of: cells[0]) == .integer(Int64(row + 1)))
      #expect(rows.value(of: cells[1]) == .text("text \(row + 1)"))
      #expect(rows.place(ofRow: row) == TextPosition(line: row + 1, column: 3))
      #expect(rows.givenNumber(ofRow: row) == UInt32(row + 1))
    }
  }

  @Test func everyKindOfValue() {
    let rows = PackedRows(width: 1)
    let blob: [UInt8] = [0, 255]
    let cells: [PackedRows.Cell] = [
      .null, .integer(.min), .real(-0.5), cell("", in: rows),
      blob.withUnsafeBytes { rows.cell(.blob, $0.baseAddress, count: $0.count) },
    ]
    #expect(
      cells.map(rows.value) == [.null, .integer(.min), .real(-0.5), .text(""), .blob(blob)])
  }

  /// A batch ends after many rows, or after many bytes in a few rows.
  @Test func aBatchIsFull() {
    let many = PackedRows(width: 2)
    fill(many, PackedRows.rowLimit)
    #expect(many.isFull)
    many.removeAll()
    #expect(many.count == 0 && !many.isFull)
    let long = PackedRows(width: 1)
    long.nextCells[0] = cell(String(repeating: "é", count: PackedRows.byteLimit), in: long)
    long.commitRow()
    #expect(long.isFull)
    #expect(long.bytes(of: long.cells(ofRow: 0)[0]).count == PackedRows.byteLimit * 2)
  }

  /// The buffer grows while it already contains bytes.
  @Test func whatIsThereMovesAlong() {
    let rows = PackedRows(width: 1)
    let first = cell("first", in: rows)
    for _ in 0..<10 { _ = cell(String(repeating: "x", count: 9_999), in: rows) }
    #expect(rows.value(of: first) == .text("first"))
  }
}
