import CSQLite

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
    var own = sqlite3_io_methods()
    own.iVersion = 1
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
    own.xLock = { handle, level in forward(handle) { $1.xLock?($0, level) } }
    own.xUnlock = { handle, level in forward(handle) { $1.xUnlock?($0, level) } }
    own.xCheckReservedLock = { handle, result in
      forward(handle) { $1.xCheckReservedLock?($0, result) }
    }
    own.xFileControl = { handle, operation, argument in
      forward(handle) { $1.xFileControl?($0, operation, argument) }
    }
    own.xSectorSize = { handle in forward(handle) { $1.xSectorSize?($0) } }
    own.xDeviceCharacteristics = { handle in
      forward(handle) { $1.xDeviceCharacteristics?($0) }
    }
    methods.initialize(to: own)
    return methods
  }()
}
