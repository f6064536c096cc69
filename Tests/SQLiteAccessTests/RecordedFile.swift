import CSQLite

/// A file in memory that records its reads and writes. It replaces the default VFS's file.
final class RecordedFile {
  var bytes: [UInt8]
  /// The offset and length of every read.
  var reads: [(offset: Int, count: Int)] = []
  /// The offset and length of every write.
  var writes: [(offset: Int, count: Int)] = []
  /// The capacity of the disk. Writes beyond it fail.
  var limit = Int.max
  var syncs = 0
  /// Reads that overlap this range fail, as on a broken disk.
  var damage: Range<Int> = 0..<0
  var closings = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static let handleSize = referenceOffset + MemoryLayout<UnsafeMutableRawPointer>.size
  private static let referenceOffset = MemoryLayout<sqlite3_file>.stride

  /// The handle doesn't keep the file alive.
  func attach(to handle: UnsafeMutablePointer<sqlite3_file>) {
    (UnsafeMutableRawPointer(handle) + Self.referenceOffset)
      .storeBytes(of: Unmanaged.passUnretained(self).toOpaque(), as: UnsafeMutableRawPointer.self)
    handle.pointee.pMethods = UnsafePointer(Self.methods)
  }

  private static func file(_ handle: UnsafeMutablePointer<sqlite3_file>?) -> RecordedFile? {
    guard let handle else { return nil }
    return Unmanaged.fromOpaque(
      (UnsafeMutableRawPointer(handle) + referenceOffset).load(as: UnsafeMutableRawPointer.self)
    ).takeUnretainedValue()
  }

  private func read(_ target: UnsafeMutableRawPointer, _ count: Int, at offset: Int) -> CInt {
    reads.append((offset, count))
    let wanted = offset..<offset + count
    guard !damage.overlaps(wanted) else { return SQLITE_IOERR }
    let found = bytes[wanted.clamped(to: 0..<bytes.count)]
    target.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    UnsafeMutableRawBufferPointer(start: target, count: count).copyBytes(from: found)
    return found.count == count ? SQLITE_OK : Self.shortRead
  }

  private func write(_ source: UnsafeRawPointer, _ count: Int, at offset: Int) -> CInt {
    writes.append((offset, count))
    // Like SQLite's VFS, which accepts at most a page: its mask turns 128 KiB into 0.
    guard count <= 0x1_ffff else { return SQLITE_FULL }
    let end = offset + count
    guard end <= limit else { return SQLITE_FULL }
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(
      offset..<end, with: UnsafeRawBufferPointer(start: source, count: count))
    return SQLITE_OK
  }

  /// `SQLITE_IOERR_SHORT_READ`, which Swift doesn't see.
  static let shortRead = SQLITE_IOERR | 2 << 8

  private nonisolated(unsafe) static let methods = {
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var own = sqlite3_io_methods()
    own.iVersion = 1
    own.xClose = { handle in
      file(handle)?.closings += 1
      return SQLITE_OK
    }
    own.xRead = { handle, target, count, offset in
      guard let target, let file = file(handle) else { return SQLITE_MISUSE }
      return file.read(target, Int(count), at: Int(offset))
    }
    own.xFileSize = { handle, size in
      guard let size, let file = file(handle) else { return SQLITE_MISUSE }
      size.pointee = Int64(file.bytes.count)
      return SQLITE_OK
    }
    own.xWrite = { handle, source, count, offset in
      guard let source, let file = file(handle) else { return SQLITE_MISUSE }
      return file.write(source, Int(count), at: Int(offset))
    }
    own.xTruncate = { handle, size in
      guard let file = file(handle) else { return SQLITE_MISUSE }
      file.bytes.removeLast(max(0, file.bytes.count - Int(size)))
      return SQLITE_OK
    }
    own.xSync = { handle, _ in
      file(handle)?.syncs += 1
      return SQLITE_OK
    }
    methods.initialize(to: own)
    return methods
  }()
}
