import CSQLite
import StoreDiagnostics

/// A database file that is read in larger pieces while SQLite reads its pages in order.
package final class ReadAheadFile: WrappedFile {
  /// The size in bytes. It can't change while an `immutable` database is open.
  private var size: Int64 = 0
  /// The pieces of the file in memory, the last filled one first.
  private var windows: [ReadAheadWindow] = []
  /// The offset in the file at which the last read without a window ended.
  private var lastEnd: Int64 = -1

  /// The starts of the pieces of a small file that can't be read completely. Their pages are read one by one.
  private var unreadablePieces: Set<Int64> = []

  static let firstPiece: Int64 = 16 << 10
  package static let largestPiece: Int64 = 256 << 10
  /// The maximum number of bytes between two sequential reads. Between two pages of a table, there can be pages of
  /// indexes and other tables.
  package static let gap: Int64 = 32 << 10
  /// The maximum number of windows. A scan holds its current page and the pages above it in the tree, which can be in
  /// older windows.
  static let largestWindowCount = 4

  func didOpen() {
    // A file of unknown size is read page by page.
    if original.pointee.pMethods?.pointee.xFileSize?(original, &size) != SQLITE_OK { size = 0 }
  }

  /// - Returns: SQLite's result code. For `SQLITE_IOERR_SHORT_READ`, the missing bytes are zeros.
  package func read(_ bytes: UnsafeMutableRawPointer, _ count: CInt, at offset: Int64) -> CInt {
    let part = offset..<offset + Int64(count)
    if let window = window(with: part), let source = window.bytes(of: part) {
      bytes.copyMemory(from: source, byteCount: Int(count))
      return SQLITE_OK
    }
    lastEnd = part.upperBound
    return readOriginal(bytes, count, at: offset)
  }

  /// Returns the address of a page in a window, so that SQLite doesn't need to copy the page.
  ///
  /// - Returns: the page, which is valid until `release`, or nil if SQLite must `read` it.
  func hold(_ count: CInt, at offset: Int64) -> UnsafeMutableRawPointer? {
    let part = offset..<offset + Int64(count)
    guard let window = window(with: part), let page = window.bytes(of: part) else { return nil }
    window.hold()
    return page
  }

  package func release(_ page: UnsafeMutableRawPointer) {
    for window in windows where window.release(page) { return }
  }

  /// Returns the newest window if it contains these bytes. Otherwise, if the read is sequential, fills a window with
  /// them and returns it.
  private func window(with part: Range<Int64>) -> ReadAheadWindow? {
    if let newest = windows.first, newest.bytes(of: part) != nil { return newest }
    guard part.upperBound <= size else { return nil }
    guard !isSmall else { return windowOfSmallFile(with: part) }
    let piece = pieceSize(at: part.lowerBound)
    guard piece >= part.count else { return nil }
    return filled(part.lowerBound..<min(part.lowerBound + piece, size))
  }

  /// Whether the windows have room for the whole file.
  private var isSmall: Bool { size <= Self.largestPiece * Int64(Self.largestWindowCount) }

  /// Divides a small file into pieces that stay in their windows. In a small file, the next page of a search is often
  /// near the previous one, as in a scan. With other pieces, the same pages would be read again and again.
  private func windowOfSmallFile(with part: Range<Int64>) -> ReadAheadWindow? {
    if let window = windows.first(where: { $0.bytes(of: part) != nil }) { return window }
    let start = part.lowerBound / Self.largestPiece * Self.largestPiece
    let piece = start..<min(start + Self.largestPiece, size)
    let isNear =
      isSuccessor(part.lowerBound, of: lastEnd)
      || isSuccessor(part.lowerBound, of: windows.first?.range.upperBound ?? -1)
    guard isNear, part.upperBound <= piece.upperBound, !unreadablePieces.contains(start) else {
      return nil
    }
    let window = filled(piece)
    if window == nil { unreadablePieces.insert(start) }
    return window
  }

  /// Returns the number of bytes to read ahead for a page outside of the newest window, or 0 to read only the page.
  ///
  /// A scan continues at the end of the newest window, even if it reads inner pages of the tree elsewhere in between. A
  /// search through an index jumps between pages, and would waste most of a larger piece.
  private func pieceSize(at offset: Int64) -> Int64 {
    if let range = windows.first?.range, !range.isEmpty, isSuccessor(offset, of: range.upperBound) {
      return min(Int64(range.count) * 2, Self.largestPiece)
    }
    return isSuccessor(offset, of: lastEnd) ? Self.firstPiece : 0
  }

  private func isSuccessor(_ offset: Int64, of end: Int64) -> Bool {
    end >= 0 && offset >= end && offset <= end + Self.gap
  }

  /// Fills a free or new window with a piece of the file. A window of a small file is only free if it is empty.
  ///
  /// - Returns: nil if the piece can't be read completely, or if SQLite holds pages of each window. The page is then
  ///   read alone, which also reports a read error.
  private func filled(_ piece: Range<Int64>) -> ReadAheadWindow? {
    if let free = windows.firstIndex(where: { !$0.isHeld && (!isSmall || $0.range.isEmpty) }) {
      windows.insert(windows.remove(at: free), at: 0)
    } else if windows.count < Self.largestWindowCount {
      windows.insert(ReadAheadWindow(capacity: Int(Self.largestPiece)), at: 0)
    } else {
      return nil
    }
    let window = windows[0]
    let isFilled = window.fill(piece) {
      readOriginal($0, CInt(piece.count), at: piece.lowerBound) == SQLITE_OK
    }
    return isFilled ? window : nil
  }

  private func readOriginal(
    _ bytes: UnsafeMutableRawPointer, _ count: CInt, at offset: Int64
  ) -> CInt {
    original.pointee.pMethods?.pointee.xRead?(original, bytes, count, offset)
      ?? SQLITE_IOERR
  }
}

/// A piece of a file in memory. SQLite can hold pages, which means that it uses their memory until it releases them.
final class ReadAheadWindow {
  /// The range of the file in the window.
  private(set) var range: Range<Int64> = 0..<0
  /// The number of pages that SQLite holds. They must not move until SQLite releases them.
  private var heldPages = 0
  private let bytes: UnsafeMutableRawPointer

  /// The number of bytes that SQLite can read beyond the end of a damaged page, according to its `unixFetch`.
  private static let overrun = 256

  /// - Parameter capacity: the capacity in bytes.
  init(capacity: Int) {
    // Copying from the system's pages is much slower if the alignments differ.
    bytes = .allocate(byteCount: capacity + Self.overrun, alignment: SystemCall.pageSize)
    (bytes + capacity).initializeMemory(as: UInt8.self, repeating: 0, count: Self.overrun)
  }

  deinit { bytes.deallocate() }

  var isHeld: Bool { heldPages > 0 }

  /// - Returns: the address of these bytes of the file, or nil if the window doesn't contain all of them.
  func bytes(of part: Range<Int64>) -> UnsafeMutableRawPointer? {
    guard part.lowerBound >= range.lowerBound, part.upperBound <= range.upperBound else {
      return nil
    }
    return bytes + Int(part.lowerBound - range.lowerBound)
  }

  func hold() { heldPages += 1 }

  /// - Returns: whether the page belongs to this window.
  func release(_ page: UnsafeMutableRawPointer) -> Bool {
    guard isHeld, page >= bytes, page < bytes + range.count else { return false }
    heldPages -= 1
    return true
  }

  /// Replaces the content with another piece of the file. `read` returns whether it could read the whole piece.
  ///
  /// - Returns: the result of `read`. If it is false, the window is empty.
  func fill(_ piece: Range<Int64>, _ read: (UnsafeMutableRawPointer) -> Bool) -> Bool {
    range = 0..<0
    guard read(bytes) else { return false }
    range = piece
    return true
  }
}

extension ReadAheadFile {
  /// Attaches this object to SQLite's handle until SQLite calls `xClose`.
  func attach(to handle: Handle) {
    attach(to: handle, UnsafePointer(Self.methods))
  }

  private static func reference(in handle: Handle) -> Unmanaged<ReadAheadFile> {
    reference(ReadAheadFile.self, in: handle)
  }

  /// Methods of version 3, which can return pages in place (`xFetch`). The methods of version 2 for shared memory are
  /// missing, because an immutable database doesn't use them.
  private nonisolated(unsafe) static let methods = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var own = forwardingMethods
    own.iVersion = 3
    own.xRead = { handle, bytes, count, offset in
      guard let handle, let bytes else { return SQLITE_MISUSE }
      return reference(in: handle)._withUnsafeGuaranteedRef { $0.read(bytes, count, at: offset) }
    }
    own.xWrite = { handle, bytes, count, offset in
      forward(handle) { $1.xWrite?($0, bytes, count, offset) }
    }
    own.xTruncate = { handle, size in forward(handle) { $1.xTruncate?($0, size) } }
    own.xSync = { handle, flags in forward(handle) { $1.xSync?($0, flags) } }
    own.xFileSize = { handle, size in forward(handle) { $1.xFileSize?($0, size) } }
    own.xFileControl = { handle, operation, argument in
      // SQLite requests pages in place only if it can set a size of mapped memory. The default VFS must not receive
      // that size.
      guard operation != SQLITE_FCNTL_MMAP_SIZE else { return SQLITE_OK }
      return forward(handle) { $1.xFileControl?($0, operation, argument) }
    }
    own.xFetch = { handle, offset, count, page in
      guard let handle, let page else { return SQLITE_MISUSE }
      page.pointee = reference(in: handle)._withUnsafeGuaranteedRef { $0.hold(count, at: offset) }
      return SQLITE_OK
    }
    own.xUnfetch = { handle, _, page in
      guard let handle else { return SQLITE_MISUSE }
      // Without a page, the call means that SQLite holds no pages and that the file may have changed.
      if let page { reference(in: handle)._withUnsafeGuaranteedRef { $0.release(page) } }
      return SQLITE_OK
    }
    methods.initialize(to: own)
    return methods
  }()
}
