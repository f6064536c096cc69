#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A row of a `PackedRows` batch. It is valid until the batch changes.
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

  /// Returns the bytes of text or of a blob, or no bytes for other values.
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
  /// Copies a row of another batch with the same width to the end of this batch.
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

/// Comparisons of the values of two rows as in SQLite, without creating Swift values.
extension PackedRow {
  /// Returns whether two columns contain the same value: equal numbers, equal text, equal blobs, or NULL in both.
  package func holds(_ column: Int, equalTo other: PackedRow, _ otherColumn: Int) -> Bool {
    order(column, against: other, otherColumn, isForEquality: true) == 0
  }

  /// Returns a negative number if this value is before the other value in SQLite's order, a positive number if it is
  /// after it, or 0. The order is: NULL, numbers, text by its bytes, blobs.
  package func order(_ column: Int, against other: PackedRow, _ otherColumn: Int) -> Int {
    order(column, against: other, otherColumn, isForEquality: false)
  }

  /// - Parameter isForEquality: whether the caller only checks for 0. The sign of other results is then arbitrary.
  @inline(__always)
  private func order(
    _ column: Int, against row: PackedRow, _ otherColumn: Int, isForEquality: Bool
  ) -> Int {
    let (one, other) = (cells[column], row.cells[otherColumn])
    switch (one.kind, other.kind) {
    case (.integer, .integer): return Self.compare(one.integer, other.integer)
    case (.real, .real): return Self.compare(one.real, other.real)
    case (.integer, .real): return one.integer.order(against: other.real)
    case (.real, .integer): return -other.integer.order(against: one.real)
    case (.text, .text), (.blob, .blob):
      return Self.compare(rows.bytes(of: one), row.rows.bytes(of: other), isForEquality)
    case (.null, _), (.integer, _), (.real, _), (.text, _), (.blob, _):
      return Int(one.kind.rawValue) - Int(other.kind.rawValue)
    }
  }

  @inline(__always)
  private static func compare<Number: Comparable>(_ one: Number, _ other: Number) -> Int {
    one < other ? -1 : one == other ? 0 : 1
  }

  @inline(__always)
  private static func compare(
    _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>, _ isForEquality: Bool
  ) -> Int {
    if isForEquality && one.count != other.count { return 1 }
    let shared = min(one.count, other.count)
    if shared > 0, let start = one.baseAddress, let otherStart = other.baseAddress {
      let order = memcmp(start, otherStart, shared)
      if order != 0 { return Int(order) }
    }
    return one.count - other.count
  }
}
