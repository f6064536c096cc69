import CSQLite

/// A VFS with fewer and larger reads, for stores that are opened as `immutable`.
///
/// SQLite reads each page separately, and these system calls take half of the time of a scan. `mmap` would avoid them,
/// but then each used page of the file counts as memory of the process. A file that can't change while it is open can
/// be read ahead instead.
///
/// It differs from SQLite's default VFS only in reading the database file (`ReadAheadFile`).
/// https://www.sqlite.org/vfs.html describes the interface.
package enum ReadAheadVFS {
  /// The name for the `vfs` parameter of a URI.
  package static let name = "storetool-read-ahead"

  /// Registers the VFS once per process.
  ///
  /// - Returns: SQLite's result code.
  @discardableResult
  package static func register() -> CInt { registration }

  private static let registration = DefaultVFS.register(as: name) {
    _, name, handle, flags, outFlags in
    DefaultVFS.open(name, handle, flags, outFlags) { handleSize -> ReadAheadFile? in
      // Other files, such as those for sorting, are also written, so they aren't wrapped.
      flags & SQLITE_OPEN_MAIN_DB != 0 ? ReadAheadFile(handleSize: handleSize) : nil
    } attach: { file, handle in
      file.didOpen()
      file.attach(to: handle)
    }
  }
}

/// SQLite's default VFS. Can register other VFSs that differ from it only in opening files.
enum DefaultVFS {
  typealias Open =
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?,
      UnsafeMutablePointer<sqlite3_file>?,
      CInt, UnsafeMutablePointer<CInt>?
    ) -> CInt

  /// The default VFS. SQLite never changes or frees it.
  nonisolated(unsafe) static let pointer = sqlite3_vfs_find(nil)

  /// Opens a file. If `file` returns an object for the size of the default VFS's handle, it is attached to SQLite's
  /// handle. Otherwise, the default VFS opens the file.
  static func open<File: WrappedFile>(
    _ name: UnsafePointer<CChar>?, _ handle: WrappedFile.Handle?, _ flags: CInt,
    _ outFlags: UnsafeMutablePointer<CInt>?, wrapping file: (_ handleSize: Int) -> File?,
    attach: (File, WrappedFile.Handle) -> Void
  ) -> CInt {
    guard let pointer, let handle, let open = pointer.pointee.xOpen else { return SQLITE_CANTOPEN }
    guard let file = file(Int(pointer.pointee.szOsFile)) else {
      return open(pointer, name, handle, flags, outFlags)
    }
    let code = open(pointer, name, file.original, flags, outFlags)
    guard code == SQLITE_OK else {
      file.close()
      // SQLite doesn't call `xClose` for a handle without methods.
      handle.pointee.pMethods = nil
      return code
    }
    attach(file, handle)
    return SQLITE_OK
  }

  /// Registers a VFS with a name for the `vfs` parameter of a URI, for the lifetime of the process.
  ///
  /// - Parameter open: opens a file. It can attach a `WrappedFile` to the handle.
  /// - Returns: SQLite's result code.
  static func register(as name: String, _ open: @escaping Open) -> CInt {
    guard let pointer else { return SQLITE_ERROR }
    // SQLite keeps the pointers until the process ends.
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    let letters = UnsafeMutablePointer<CChar>.allocate(capacity: name.utf8.count + 1)
    letters.initialize(from: name.utf8CString.map { $0 }, count: name.utf8.count + 1)
    vfs.initialize(to: pointer.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.zName = UnsafePointer(letters)
    vfs.pointee.szOsFile = max(pointer.pointee.szOsFile, CInt(WrappedFile.handleSize))
    vfs.pointee.xOpen = open
    return sqlite3_vfs_register(vfs, 0)
  }
}
