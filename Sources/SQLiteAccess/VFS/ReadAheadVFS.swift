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
    ReadAheadVFS.open(name, handle, flags, outFlags)
  }

  private static func open(
    _ name: UnsafePointer<CChar>?, _ handle: UnsafeMutablePointer<sqlite3_file>?, _ flags: CInt,
    _ outFlags: UnsafeMutablePointer<CInt>?
  ) -> CInt {
    guard let original = DefaultVFS.pointer, let handle, let open = original.pointee.xOpen else {
      return SQLITE_CANTOPEN
    }
    // Other files, such as those for sorting, are also written, so they aren't wrapped.
    guard flags & SQLITE_OPEN_MAIN_DB != 0 else {
      return open(original, name, handle, flags, outFlags)
    }
    let file = ReadAheadFile(handleSize: Int(original.pointee.szOsFile))
    let code = open(original, name, file.original, flags, outFlags)
    guard code == SQLITE_OK else {
      file.close()
      // SQLite doesn't call `xClose` for a handle without methods.
      handle.pointee.pMethods = nil
      return code
    }
    file.didOpen()
    file.attach(to: handle)
    return SQLITE_OK
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
