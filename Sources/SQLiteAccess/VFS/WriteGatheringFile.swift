import CSQLite
import StoreDiagnostics

/// A `-wal` or a statement's journal, which SQLite writes page by page, and the system in larger pieces.
///
/// What goes on where the last write ended waits in a buffer until SQLite syncs or cuts the file, or
/// writes elsewhere. Nobody else may look at such a file before it is synced: what a `-wal` has beyond
/// the last commit counts for nothing, and each commit syncs it before others are told of it
/// (`synchronous = FULL` or more). A journal of a statement belongs to one connection.
final class WriteGatheringFile: WrappedFile {
  /// What SQLite has opened the file as.
  enum Kind {
    case log
    /// Gone when it is closed.
    case statementJournal
  }

  private let kind: Kind
  /// Taken with the first write.
  private var buffer: UnsafeMutableRawBufferPointer?
  /// Where in the file the buffer's bytes go.
  private var pending: Range<Int64> = 0..<0
  /// What SQLite has written and the system does not have: it would not take it, which SQLite was told
  /// with a later call, or nobody asked for it. To read it fails, and then SQLite rolls back.
  private var lost: Range<Int64> = 0..<0

  /// Whether the file was made for this object and never had anything else in it. One that was cut to
  /// nothing may have its old content again after a power cut.
  private var isNew: Bool

  /// In bytes. SQLite's own `xWrite` takes less than 128 KiB; larger ones would not be faster.
  static let capacity = 64 << 10

  init(handleSize: Int, kind: Kind, isNew: Bool) {
    self.kind = kind
    self.isNew = isNew
    super.init(handleSize: handleSize)
  }

  deinit {
    buffer?.deallocate()
  }

  @discardableResult
  override func close() -> CInt {
    let code = kind == .log ? flush() : SQLITE_OK
    let closed = super.close()
    return code == SQLITE_OK ? closed : code
  }

  func write(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> CInt {
    if kind == .statementJournal, !StatementJournal.isKept {
      lose(offset..<offset + Int64(count))
      pending = 0..<0
      return SQLITE_OK
    }
    if !pending.isEmpty, offset != pending.upperBound || pending.count + count > Self.capacity {
      let code = flush()
      guard code == SQLITE_OK else { return code }
    }
    guard count <= Self.capacity else { return writeOriginal(bytes, count, at: offset) }
    let buffer = buffer ?? .allocate(byteCount: Self.capacity, alignment: SystemCall.pageSize)
    self.buffer = buffer
    if pending.isEmpty { pending = offset..<offset }
    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[pending.count...])
    rest.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
    pending = pending.lowerBound..<pending.upperBound + Int64(count)
    return SQLITE_OK
  }

  func read(_ bytes: UnsafeMutableRawPointer, _ count: Int, at offset: Int64) -> CInt {
    let part = offset..<offset + Int64(count)
    if part.overlaps(pending) {
      if let start = buffer?.baseAddress, pending.lowerBound <= part.lowerBound,
        part.upperBound <= pending.upperBound
      {
        bytes.copyMemory(from: start + Int(offset - pending.lowerBound), byteCount: count)
        return SQLITE_OK
      }
      let code = flush()
      guard code == SQLITE_OK else { return code }
    }
    guard !part.overlaps(lost) else { return SQLITE_IOERR }
    return original.pointee.pMethods?.pointee.xRead?(original, bytes, CInt(count), offset)
      ?? SQLITE_IOERR
  }

  /// Writes what waits.
  ///
  /// - Returns: SQLite's result code. What could not be written is given up: the call that hears of
  ///   it must fail, and with it the transaction.
  func flush() -> CInt {
    guard !pending.isEmpty, let start = buffer?.baseAddress else { return SQLITE_OK }
    let part = pending
    pending = 0..<0
    let code = writeOriginal(start, part.count, at: part.lowerBound)
    if code != SQLITE_OK { lose(part) }
    return code
  }

  private func lose(_ part: Range<Int64>) {
    guard !part.isEmpty else { return }
    lost =
      lost.isEmpty
      ? part : min(lost.lowerBound, part.lowerBound)..<max(lost.upperBound, part.upperBound)
  }

  private func writeOriginal(_ bytes: UnsafeRawPointer, _ count: Int, at offset: Int64) -> CInt {
    let code =
      original.pointee.pMethods?.pointee.xWrite?(original, bytes, CInt(count), offset)
      ?? SQLITE_IOERR
    let end = offset + Int64(count)
    if code == SQLITE_OK, offset <= lost.lowerBound, end > lost.lowerBound {
      lost = min(end, lost.upperBound)..<lost.upperBound
    }
    return code
  }

  func sync(_ flags: CInt) -> CInt {
    guard !isHeadOfNewLog else { return SQLITE_OK }
    let code = flush()
    guard code == SQLITE_OK else { return code }
    return original.pointee.pMethods?.pointee.xSync?(original, flags) ?? SQLITE_IOERR
  }

  /// SQLite syncs the head of a `-wal` before the pages behind it, lest after a crash older pages, of a
  /// time before the file was begun anew, pass for such as belong to it. Where there never were any, the
  /// sync of the commit does for both.
  private var isHeadOfNewLog: Bool {
    guard kind == .log, isNew, pending == 0..<Self.logHeadSize else { return false }
    var size: Int64 = 0
    let code = original.pointee.pMethods?.pointee.xFileSize?(original, &size)
    return code == SQLITE_OK && size == 0
  }

  /// In bytes: https://www.sqlite.org/fileformat.html#walformat.
  private static let logHeadSize: Int64 = 32

  /// Cut off, what was lost can't be missed.
  func truncate(_ size: Int64) -> CInt {
    let code = flush()
    guard code == SQLITE_OK else { return code }
    lost = lost.clamped(to: 0..<size)
    isNew = false
    return original.pointee.pMethods?.pointee.xTruncate?(original, size) ?? SQLITE_IOERR
  }

  func size(_ size: UnsafeMutablePointer<sqlite3_int64>) -> CInt {
    let code =
      original.pointee.pMethods?.pointee.xFileSize?(original, size) ?? SQLITE_IOERR
    if code == SQLITE_OK, !pending.isEmpty { size.pointee = max(size.pointee, pending.upperBound) }
    return code
  }
}

extension WriteGatheringFile {
  /// SQLite owns the file from here on, until it calls `xClose`.
  func attach(to handle: Handle) {
    attach(to: handle, UnsafePointer(Self.methods))
  }

  private static func with(_ handle: Handle?, _ call: (WriteGatheringFile) -> CInt) -> CInt {
    guard let handle else { return SQLITE_MISUSE }
    return reference(WriteGatheringFile.self, in: handle)._withUnsafeGuaranteedRef(call)
  }

  /// Version 1: neither kind of file has shared memory, or pages in place. SQLite asks neither for
  /// locks, and looks at the result of every call in which something may be written, but of the one
  /// to cut a `-wal` that is committed.
  private nonisolated(unsafe) static let methods = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var own = forwardingMethods
    own.xClose = { handle in
      guard let handle else { return SQLITE_MISUSE }
      return reference(WriteGatheringFile.self, in: handle).takeRetainedValue().close()
    }
    own.xRead = { handle, bytes, count, offset in
      guard let bytes else { return SQLITE_MISUSE }
      return with(handle) { $0.read(bytes, Int(count), at: offset) }
    }
    own.xWrite = { handle, bytes, count, offset in
      guard let bytes else { return SQLITE_MISUSE }
      return with(handle) { $0.write(bytes, Int(count), at: offset) }
    }
    own.xTruncate = { handle, size in with(handle) { $0.truncate(size) } }
    own.xSync = { handle, flags in with(handle) { $0.sync(flags) } }
    own.xFileSize = { handle, size in
      guard let size else { return SQLITE_MISUSE }
      return with(handle) { $0.size(size) }
    }
    methods.initialize(to: own)
    return methods
  }()
}

/// The second copy that SQLite makes of the pages that a statement in a transaction changes, to take back
/// the one without the other.
enum StatementJournal {
  /// Whether statements of this thread can be taken back alone.
  @TaskLocal static var isKept = true
}

extension Connection {
  /// Runs one statement that no one would take back alone: should it fail, the whole transaction is.
  ///
  /// In SQLite's shell a column of a million rows takes a quarter longer to drop with the journal than
  /// without. Where SQLite misses it, it rolls back by itself; of a row that violates a constraint it then
  /// tells no more than an error of the disk, so this is for statements in which that can't happen.
  ///
  /// - Throws: `DatabaseError`
  package func runWithoutJournal(_ sql: SQL) throws(DatabaseError) {
    try StatementJournal.$isKept.withValue(false) {
      Result { () throws(DatabaseError) in _ = try run(sql) }
    }.get()
  }
}
