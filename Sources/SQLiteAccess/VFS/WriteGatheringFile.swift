import CSQLite
import StoreDiagnostics

/// A `-wal` or a statement journal, which is written in larger pieces than the single pages that SQLite writes.
///
/// Sequential writes are collected in a buffer until it is full, or until another call, such as a sync or a write
/// elsewhere, requires them in the file. No other process reads such a file before it is synced: pages of a `-wal`
/// after the last commit have no meaning, and each commit syncs it before others see the commit (`synchronous = FULL`
/// or more). A statement journal belongs to one connection.
final class WriteGatheringFile: WrappedFile {
  enum Kind {
    case log
    /// A journal that is removed when it is closed.
    case statementJournal
  }

  private let kind: Kind
  /// The buffer, which is allocated at the first write.
  private var buffer: UnsafeMutableRawBufferPointer?
  /// The range of the file to which the bytes in the buffer must be written.
  private var pending: Range<Int64> = 0..<0
  /// A range with all bytes that SQLite has written but that aren't in the file, because writing them failed with an
  /// error, or because the statement journal isn't kept (`StatementJournal.isKept`). Reading these bytes fails, and
  /// SQLite then rolls back.
  private var lost: Range<Int64> = 0..<0

  /// Whether the file was created for this object and was never truncated. After a power cut, a truncated file can have
  /// its old content again.
  private var isNew: Bool

  /// The size of the buffer in bytes. SQLite's own `xWrite` accepts less than 128 KiB, and larger writes wouldn't be
  /// faster.
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
      lose(pending)
      pending = 0..<0
      lose(offset..<offset + Int64(count))
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

  /// Writes the buffer to the file.
  ///
  /// - Returns: SQLite's result code. Bytes that couldn't be written are discarded, so the caller must report the error
  ///   to SQLite, which rolls back the transaction.
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

  /// Whether only the header of a new `-wal` has been written. SQLite syncs the header before it writes pages, so that
  /// stale pages aren't mistaken for current ones after a crash. A new file doesn't contain stale pages, so the sync of
  /// the commit is sufficient for the header, too.
  private var isHeadOfNewLog: Bool {
    guard kind == .log, isNew, pending == 0..<Self.logHeadSize else { return false }
    var size: Int64 = 0
    let code = original.pointee.pMethods?.pointee.xFileSize?(original, &size)
    return code == SQLITE_OK && size == 0
  }

  /// The size of the header in bytes: https://www.sqlite.org/fileformat.html#walformat.
  private static let logHeadSize: Int64 = 32

  /// Truncates the file. Lost bytes after the new end aren't required any more.
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
  /// Attaches this object to SQLite's handle until SQLite calls `xClose`.
  func attach(to handle: Handle) {
    attach(to: handle, UnsafePointer(Self.methods))
  }

  private static func with(_ handle: Handle?, _ call: (WriteGatheringFile) -> CInt) -> CInt {
    guard let handle else { return SQLITE_MISUSE }
    return reference(WriteGatheringFile.self, in: handle)._withUnsafeGuaranteedRef(call)
  }

  /// Methods of version 1, because neither type of file has shared memory or pages in place. SQLite doesn't lock these
  /// files. It checks the result of each call that can write, except truncating a committed `-wal`.
  private nonisolated(unsafe) static let methods = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var own = forwardingMethods
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

/// SQLite's journal of the original pages that a single statement of a transaction changes. SQLite needs it to roll
/// back only that statement.
enum StatementJournal {
  /// Whether statement journals are written, so that a statement can be rolled back separately.
  @TaskLocal static var isKept = true
}

extension Connection {
  /// Runs a statement that doesn't need to be rolled back separately. If it fails, the whole transaction is rolled
  /// back.
  ///
  /// In SQLite's shell, dropping a column of a million rows takes a quarter longer with the journal. If SQLite requires
  /// the missing journal, it rolls back by itself. For a violated constraint, it then only reports an I/O error, so
  /// this function is for statements without constraints.
  ///
  /// - Throws: `DatabaseError`
  package func runWithoutJournal(_ sql: SQL) throws(DatabaseError) {
    try StatementJournal.$isKept.withValue(false) {
      Result { () throws(DatabaseError) in _ = try run(sql) }
    }.get()
  }
}
