/// One row of a batch: good until the batch changes.
@usableFromInline
package struct PackedRow {
  @usableFromInline package let rows: PackedRows
  @usableFromInline package let cells: UnsafeMutablePointer<PackedRows.Cell>

  @inlinable
  @inline(__always)
  package init(_ index: Int, of rows: PackedRows) {
    self.rows = rows
    cells = rows.cells(ofRow: index)
  }

  @inlinable
  @inline(__always)
  package func isNull(at column: Int) -> Bool { cells[column].kind == .null }

  /// Of text or a blob; of another value none.
  @inlinable
  @inline(__always)
  package func bytes(at column: Int) -> UnsafeBufferPointer<UInt8> {
    switch cells[column].kind {
    case .text, .blob: rows.bytes(of: cells[column])
    case .null, .integer, .real: UnsafeBufferPointer(start: nil, count: 0)
    }
  }
}

extension PackedRows {
  /// Copies a row of another batch that is as wide.
  package func append(_ row: PackedRow) {
    let cells = nextCells
    for column in 0..<width {
      let cell = row.cells[column]
      switch cell.kind {
      case .null, .integer, .real: cells[column] = cell
      case .text, .blob:
        let bytes = row.bytes(at: column)
        cells[column] = self.cell(cell.kind, bytes.baseAddress, count: bytes.count)
      }
    }
    commitRow()
  }
}
