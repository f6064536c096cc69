import CSQLite

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
    methods.initialize(
      to: sqlite3_io_methods(
        iVersion: 3,
        xClose: { handle in
          guard let handle else { return SQLITE_MISUSE }
          return reference(in: handle).takeRetainedValue().close()
        },
        xRead: { handle, bytes, count, offset in
          guard let handle, let bytes else { return SQLITE_MISUSE }
          return reference(in: handle)._withUnsafeGuaranteedRef {
            $0.read(bytes, count, at: offset)
          }
        },
        xWrite: { handle, bytes, count, offset in
          forward(handle) { $1.xWrite?($0, bytes, count, offset) }
        },
        xTruncate: { handle, size in forward(handle) { $1.xTruncate?($0, size) } },
        xSync: { handle, flags in forward(handle) { $1.xSync?($0, flags) } },
        xFileSize: { handle, size in forward(handle) { $1.xFileSize?($0, size) } },
        xLock: { handle, level in forward(handle) { $1.xLock?($0, level) } },
        xUnlock: { handle, level in forward(handle) { $1.xUnlock?($0, level) } },
        xCheckReservedLock: { handle, result in
          forward(handle) { $1.xCheckReservedLock?($0, result) }
        },
        xFileControl: { handle, operation, argument in
          // SQLite asks for pages in place when it may map memory. The default VFS must not hear of it.
          guard operation != SQLITE_FCNTL_MMAP_SIZE else { return SQLITE_OK }
          return forward(handle) { $1.xFileControl?($0, operation, argument) }
        },
        xSectorSize: { handle in forward(handle) { $1.xSectorSize?($0) } },
        xDeviceCharacteristics: { handle in forward(handle) { $1.xDeviceCharacteristics?($0) } },
        xShmMap: nil, xShmLock: nil, xShmBarrier: nil, xShmUnmap: nil,
        xFetch: { handle, offset, count, page in
          guard let handle, let page else { return SQLITE_MISUSE }
          page.pointee = reference(in: handle)._withUnsafeGuaranteedRef {
            $0.hold(count, at: offset)
          }
          return SQLITE_OK
        },
        xUnfetch: { handle, _, page in
          guard let handle else { return SQLITE_MISUSE }
          // Without a page, SQLite tells that it holds none and that the file may have changed.
          if let page { reference(in: handle)._withUnsafeGuaranteedRef { $0.release(page) } }
          return SQLITE_OK
        }))
    return methods
  }()
}
