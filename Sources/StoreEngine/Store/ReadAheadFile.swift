import GRDBSQLite

/// A database file whose pages SQLite gets out of larger pieces when it reads them in order.
///
/// Used by one connection, and thus by one thread at a time.
final class ReadAheadFile {
  /// The file as SQLite's default VFS knows it. Its size is known only there.
  let original: UnsafeMutablePointer<sqlite3_file>
  /// In bytes. It can't change while an `immutable` database is open.
  private var size: Int64 = 0
  /// What `window` holds of the file: empty until a read follows another one.
  private var range: Range<Int64> = 0..<0
  private var window: UnsafeMutableRawPointer?
  /// Where the last read ended that went to the file on its own.
  private var lastEnd: Int64 = -1

  static let firstPiece: Int64 = 16 << 10
  static let largestPiece: Int64 = 256 << 10
  /// How far ahead of its predecessor a read may begin and still be taken as its successor: in the
  /// table's order there are pages of indexes and of other tables in between.
  static let gap: Int64 = 32 << 10
  private static let systemPageSize = 4096

  init(handleSize: Int) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: handleSize, alignment: MemoryLayout<sqlite3_int64>.alignment)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: handleSize)
    original = memory.assumingMemoryBound(to: sqlite3_file.self)
  }

  deinit {
    window?.deallocate()
    UnsafeMutableRawPointer(original).deallocate()
  }

  func didOpen() {
    // Of unknown size, a file is read page by page.
    if original.pointee.pMethods?.pointee.xFileSize?(original, &size) != SQLITE_OK { size = 0 }
  }

  @discardableResult
  func close() -> CInt {
    original.pointee.pMethods?.pointee.xClose?(original) ?? SQLITE_OK
  }

  /// - Returns: SQLite's result code. `SQLITE_IOERR_SHORT_READ` comes with zeros for what the file lacks.
  func read(_ bytes: UnsafeMutableRawPointer, _ count: CInt, at offset: Int64) -> CInt {
    let end = offset + Int64(count)
    if offset >= range.lowerBound, end <= range.upperBound, let window {
      bytes.copyMemory(from: window + Int(offset - range.lowerBound), byteCount: Int(count))
      return SQLITE_OK
    }
    let piece = pieceSize(at: offset)
    guard piece >= count, end <= size, fill(offset..<min(offset + piece, size)), let window else {
      lastEnd = end
      return readOriginal(bytes, count, at: offset)
    }
    bytes.copyMemory(from: window, byteCount: Int(count))
    return SQLITE_OK
  }

  /// How much to read for a page that isn't in the window: 0 for the page alone.
  ///
  /// A scan goes on where the window ends, however often it fetches an inner page of the tree from
  /// elsewhere; lookups through an index jump, and would waste most of a larger piece.
  private func pieceSize(at offset: Int64) -> Int64 {
    if !range.isEmpty, isSuccessor(offset, of: range.upperBound) {
      return min(Int64(range.count) * 2, Self.largestPiece)
    }
    return isSuccessor(offset, of: lastEnd) ? Self.firstPiece : 0
  }

  private func isSuccessor(_ offset: Int64, of end: Int64) -> Bool {
    end >= 0 && offset >= end && offset <= end + Self.gap
  }

  /// - Returns: false when the piece can't be had whole. The page alone then shows what is wrong.
  private func fill(_ piece: Range<Int64>) -> Bool {
    // Processors copy into the window much slower from the system's pages when the two are not
    // aligned alike.
    let window =
      window ?? .allocate(byteCount: Int(Self.largestPiece), alignment: Self.systemPageSize)
    self.window = window
    range = 0..<0
    guard readOriginal(window, CInt(piece.count), at: piece.lowerBound) == SQLITE_OK else {
      return false
    }
    range = piece
    return true
  }

  private func readOriginal(
    _ bytes: UnsafeMutableRawPointer, _ count: CInt, at offset: Int64
  ) -> CInt {
    original.pointee.pMethods?.pointee.xRead?(original, bytes, count, offset)
      ?? SQLITE_IOERR
  }
}
