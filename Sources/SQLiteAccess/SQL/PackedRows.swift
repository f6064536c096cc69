/// A batch of rows that is passed between two threads. It consists of cells of a fixed size, and of one block with the
/// bytes of text and blobs, so that it doesn't create Swift objects per value.
///
/// When rows are read, one thread copies SQLite's columns to a batch, and another thread formats them. When rows are
/// written, parsed values are stored in a batch and then bound to a statement. A batch is filled, passed on, read,
/// cleared and reused.
@usableFromInline
package final class PackedRows {
  /// A value. `bits` contains the bits of a number, or the offset of the value's bytes in the block.
  @usableFromInline
  package struct Cell: Sendable {
    @usableFromInline
    package enum Kind: UInt8, Sendable {
      case null, integer, real, text, blob
    }

    @usableFromInline package var bits: UInt64
    @usableFromInline package var length: Int32
    @usableFromInline package var kind: Kind

    @inlinable
    @inline(__always)
    package init(_ kind: Kind, bits: UInt64 = 0, length: Int32 = 0) {
      self.kind = kind
      self.bits = bits
      self.length = length
    }

    @inlinable
    @inline(__always)
    package static var null: Cell { Cell(.null) }

    @inlinable
    @inline(__always)
    package static func integer(_ value: Int64) -> Cell {
      Cell(.integer, bits: UInt64(bitPattern: value))
    }

    @inlinable
    @inline(__always)
    package static func real(_ value: Double) -> Cell { Cell(.real, bits: value.bitPattern) }

    @inlinable
    @inline(__always)
    package var integer: Int64 { Int64(bitPattern: bits) }

    @inlinable
    @inline(__always)
    package var real: Double { Double(bitPattern: bits) }
  }

  /// The maximum number of rows in a batch.
  @inlinable package static var rowLimit: Int { 512 }
  /// A batch is full if its block has at least this number of bytes.
  @inlinable package static var byteLimit: Int { 1 << 17 }

  // Exclusivity checks aren't required, because only one thread uses a batch at a time, and its properties aren't
  // passed inout.
  @usableFromInline package let width: Int
  @exclusivity(unchecked) @usableFromInline package internal(set) var count = 0
  @usableFromInline package let storage: UnsafeMutablePointer<Cell>
  @usableFromInline let places: UnsafeMutablePointer<TextPosition>
  /// For each row, the number that the reader of the input assigned to the set of fields in the row's record.
  @usableFromInline let givenNumbers: UnsafeMutablePointer<UInt32>
  @exclusivity(unchecked) @usableFromInline package internal(set) var block:
    UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) @usableFromInline var blockCapacity: Int
  @exclusivity(unchecked) @usableFromInline var blockCount = 0

  /// - Parameter width: the number of cells in a row.
  package init(width: Int) {
    self.width = width
    storage = .allocate(capacity: max(1, width * Self.rowLimit))
    places = .allocate(capacity: Self.rowLimit)
    givenNumbers = .allocate(capacity: Self.rowLimit)
    blockCapacity = 1 << 14
    block = .allocate(capacity: blockCapacity)
  }

  deinit {
    storage.deallocate()
    places.deallocate()
    givenNumbers.deallocate()
    block.deallocate()
  }

  @inlinable package var isFull: Bool { count == Self.rowLimit || blockCount >= Self.byteLimit }

  package func removeAll() {
    count = 0
    blockCount = 0
    // Otherwise, a row with a huge value would keep its memory allocated for all later batches.
    if blockCapacity > Self.byteLimit * 4 {
      block.deallocate()
      blockCapacity = 1 << 14
      block = .allocate(capacity: blockCapacity)
    }
  }

  /// Returns the cells of a row.
  @inlinable
  @inline(__always)
  package func cells(ofRow row: Int) -> UnsafeMutablePointer<Cell> { storage + row * width }

  /// The cells of the next row, which `commitRow` adds to the batch.
  @inlinable
  @inline(__always)
  package var nextCells: UnsafeMutablePointer<Cell> { storage + count * width }

  /// Adds the row in `nextCells` to the batch.
  ///
  /// - Parameters:
  ///   - place: the location of the row in the input, for messages.
  ///   - number: the reader's number for the set of fields in the row's record.
  @inlinable
  @inline(__always)
  package func commitRow(at place: TextPosition = .start, given number: UInt32 = 0) {
    places[count] = place
    givenNumbers[count] = number
    count += 1
  }

  package func givenNumber(ofRow row: Int) -> UInt32 { givenNumbers[row] }

  package func place(ofRow row: Int) -> TextPosition { places[row] }

  /// Copies bytes to the block, and returns a cell that refers to the copy.
  @inlinable
  @inline(__always)
  package func cell(_ kind: Cell.Kind, _ bytes: UnsafeRawPointer?, count length: Int) -> Cell {
    let offset = blockCount
    if let bytes, length > 0 {
      room(for: length).copyMemory(from: bytes, byteCount: length)
      blockCount += length
    }
    return Cell(kind, bits: UInt64(offset), length: Int32(length))
  }

  /// Returns a cell whose bytes `fill` writes directly to the block. `fill` can write up to `capacity` bytes, and must
  /// return the number of written bytes.
  @inlinable
  package func cell(
    _ kind: Cell.Kind, capacity: Int, fill: (UnsafeMutablePointer<UInt8>) -> Int
  ) -> Cell {
    let offset = blockCount
    let length = fill(room(for: capacity).assumingMemoryBound(to: UInt8.self))
    blockCount += length
    return Cell(kind, bits: UInt64(offset), length: Int32(length))
  }

  @inlinable
  @inline(__always)
  func room(for length: Int) -> UnsafeMutableRawPointer {
    if blockCapacity - blockCount < length { grow(by: length) }
    return UnsafeMutableRawPointer(block + blockCount)
  }

  @usableFromInline
  @inline(never)
  func grow(by length: Int) {
    blockCapacity = max(blockCapacity * 2, blockCount + length)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: blockCapacity)
    larger.update(from: block, count: blockCount)
    block.deallocate()
    block = larger
  }

  /// Returns the bytes of a text or blob cell, which are valid until the batch changes.
  @inlinable
  @inline(__always)
  package func bytes(of cell: Cell) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: block + Int(truncatingIfNeeded: cell.bits), count: Int(cell.length))
  }

  /// Returns the value of a cell as a Swift value, for messages and tests.
  package func value(of cell: Cell) -> SQLiteValue {
    switch cell.kind {
    case .null: .null
    case .integer: .integer(cell.integer)
    case .real: .real(cell.real)
    case .text: .text(String(decoding: bytes(of: cell), as: UTF8.self))
    case .blob: .blob(Array(bytes(of: cell)))
    }
  }
}

/// A line and a column in an input, which count from 1. Columns count Unicode scalars.
@usableFromInline
package struct TextPosition: Hashable, Sendable {
  @usableFromInline package var line: Int
  @usableFromInline package var column: Int

  @inlinable
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  @inlinable
  package static var start: TextPosition { TextPosition(line: 1, column: 1) }
}
