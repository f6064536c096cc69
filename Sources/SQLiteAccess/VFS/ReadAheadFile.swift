import CSQLite
import StoreDiagnostics

/// A database file whose pages SQLite gets out of larger pieces when it reads them in order.
package final class ReadAheadFile: WrappedFile {
  /// In bytes. It can't change while an `immutable` database is open.
  private var size: Int64 = 0
  /// What was read ahead: made when a read follows another one, the newest first.
  private var windows: [ReadAheadWindow] = []
  /// Where the last read ended that went to the file on its own.
  private var lastEnd: Int64 = -1

  static let firstPiece: Int64 = 16 << 10
  package static let largestPiece: Int64 = 256 << 10
  /// How far ahead of its predecessor a read may begin and still be taken as its successor: in the
  /// table's order there are pages of indexes and of other tables in between.
  package static let gap: Int64 = 32 << 10
  /// A scan holds the page it is at and those above it in the tree, which may lie in older windows.
  static let largestWindowCount = 4

  func didOpen() {
    // Of unknown size, a file is read page by page.
    if original.pointee.pMethods?.pointee.xFileSize?(original, &size) != SQLITE_OK { size = 0 }
  }

  /// - Returns: SQLite's result code. `SQLITE_IOERR_SHORT_READ` comes with zeros for what the file lacks.
  package func read(_ bytes: UnsafeMutableRawPointer, _ count: CInt, at offset: Int64) -> CInt {
    let part = offset..<offset + Int64(count)
    if let window = window(with: part), let source = window.bytes(of: part) {
      bytes.copyMemory(from: source, byteCount: Int(count))
      return SQLITE_OK
    }
    lastEnd = part.upperBound
    return readOriginal(bytes, count, at: offset)
  }

  /// Hands out a page in place, so that SQLite needs no copy of it.
  ///
  /// - Returns: the page, valid until `release`; nil where SQLite has to `read` it.
  func hold(_ count: CInt, at offset: Int64) -> UnsafeMutableRawPointer? {
    let part = offset..<offset + Int64(count)
    guard let window = window(with: part), let page = window.bytes(of: part) else { return nil }
    window.hold()
    return page
  }

  package func release(_ page: UnsafeMutableRawPointer) {
    for window in windows where window.release(page) { return }
  }

  /// The window that has these bytes, filled for them where they go on with what was read before.
  private func window(with part: Range<Int64>) -> ReadAheadWindow? {
    if let newest = windows.first, newest.bytes(of: part) != nil { return newest }
    let piece = pieceSize(at: part.lowerBound)
    guard piece >= part.count, part.upperBound <= size else { return nil }
    return filled(part.lowerBound..<min(part.lowerBound + piece, size))
  }

  /// How much to read for a page that isn't in the window: 0 for the page alone.
  ///
  /// A scan goes on where the window ends, however often it fetches an inner page of the tree from
  /// elsewhere; lookups through an index jump, and would waste most of a larger piece.
  private func pieceSize(at offset: Int64) -> Int64 {
    if let range = windows.first?.range, !range.isEmpty, isSuccessor(offset, of: range.upperBound) {
      return min(Int64(range.count) * 2, Self.largestPiece)
    }
    return isSuccessor(offset, of: lastEnd) ? Self.firstPiece : 0
  }

  private func isSuccessor(_ offset: Int64, of end: Int64) -> Bool {
    end >= 0 && offset >= end && offset <= end + Self.gap
  }

  /// - Returns: nil when the piece can't be had whole, or each window has pages that SQLite holds.
  /// The page alone then shows what is wrong.
  private func filled(_ piece: Range<Int64>) -> ReadAheadWindow? {
    if let free = windows.firstIndex(where: { !$0.isHeld }) {
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

/// A piece of a file in memory, out of which SQLite may hold pages.
final class ReadAheadWindow {
  /// What of the file is in it.
  private(set) var range: Range<Int64> = 0..<0
  /// Pages that SQLite holds: until it lets go of them they must stay where they are.
  private var heldPages = 0
  private let bytes: UnsafeMutableRawPointer

  /// SQLite may read this much past a page that is damaged, says its `unixFetch`.
  private static let overrun = 256

  /// - Parameter capacity: in bytes.
  init(capacity: Int) {
    // Processors copy into the window much slower from the system's pages when the two aren't aligned alike.
    bytes = .allocate(byteCount: capacity + Self.overrun, alignment: SystemCall.pageSize)
    (bytes + capacity).initializeMemory(as: UInt8.self, repeating: 0, count: Self.overrun)
  }

  deinit { bytes.deallocate() }

  var isHeld: Bool { heldPages > 0 }

  /// - Returns: where these bytes of the file are; nil when not all of them are here.
  func bytes(of part: Range<Int64>) -> UnsafeMutableRawPointer? {
    guard part.lowerBound >= range.lowerBound, part.upperBound <= range.upperBound else {
      return nil
    }
    return bytes + Int(part.lowerBound - range.lowerBound)
  }

  func hold() { heldPages += 1 }

  /// - Returns: whether the page was one of this window.
  func release(_ page: UnsafeMutableRawPointer) -> Bool {
    guard isHeld, page >= bytes, page < bytes + range.count else { return false }
    heldPages -= 1
    return true
  }

  /// Takes in another piece; `read` tells whether it could be read whole.
  ///
  /// - Returns: what `read` returned. The window is empty when that is false.
  func fill(_ piece: Range<Int64>, _ read: (UnsafeMutableRawPointer) -> Bool) -> Bool {
    range = 0..<0
    guard read(bytes) else { return false }
    range = piece
    return true
  }
}

extension ReadAheadFile {
  /// SQLite owns the file from here on, until it calls `xClose`.
  func attach(to handle: Handle) {
    attach(to: handle, UnsafePointer(Self.methods))
  }

  private static func reference(in handle: Handle) -> Unmanaged<ReadAheadFile> {
    reference(ReadAheadFile.self, in: handle)
  }

  /// Version 3, which hands out pages in place, without the shared memory of version 2: an immutable
  /// database has no use for that.
  private nonisolated(unsafe) static let methods = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var own = forwardingMethods
    own.iVersion = 3
    own.xClose = { handle in
      guard let handle else { return SQLITE_MISUSE }
      return reference(in: handle).takeRetainedValue().close()
    }
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
      // SQLite asks for pages in place when it may map memory. The default VFS must not hear of it.
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
      // Without a page, SQLite tells that it holds none and that the file may have changed.
      if let page { reference(in: handle)._withUnsafeGuaranteedRef { $0.release(page) } }
      return SQLITE_OK
    }
    methods.initialize(to: own)
    return methods
  }()
}
