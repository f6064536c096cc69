import CSQLite

/// SQLite's own way to files, with fewer and larger reads; for stores that are opened `immutable`.
///
/// SQLite asks the system for every page on its own, and half of the time that a scan takes goes into
/// these calls. `mmap` would avoid them too, but then every page of the file that is touched counts as
/// memory of the process. A file that can't change while it is open may instead be read ahead.
///
/// It is SQLite's default VFS in all but the reading of the database file, which `ReadAheadFile`
/// wraps. How the two meet: https://www.sqlite.org/vfs.html.
package enum ReadAheadVFS {
  /// For the `vfs` parameter of a database's URI.
  package static let name = "storetool-read-ahead"

  /// Makes the name known to SQLite, once in a process.
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
    // Files of SQLite's own, for sorting, are written as well as read.
    guard flags & SQLITE_OPEN_MAIN_DB != 0 else {
      return open(original, name, handle, flags, outFlags)
    }
    let file = ReadAheadFile(handleSize: Int(original.pointee.szOsFile))
    let code = open(original, name, file.original, flags, outFlags)
    guard code == SQLITE_OK else {
      file.close()
      // Tells SQLite that there is nothing to close.
      handle.pointee.pMethods = nil
      return code
    }
    file.didOpen()
    file.attach(to: handle)
    return SQLITE_OK
  }
}

/// SQLite's own way to the system's files, and others that differ from it only in how they open one.
enum DefaultVFS {
  typealias Open =
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?,
      UnsafeMutablePointer<sqlite3_file>?,
      CInt, UnsafeMutablePointer<CInt>?
    ) -> CInt

  /// Never changed, and never freed, by SQLite.
  nonisolated(unsafe) static let pointer = sqlite3_vfs_find(nil)

  /// Makes a name for the `vfs` parameter of a database's URI known to SQLite, for good.
  ///
  /// - Parameter open: may attach a `WrappedFile` to the handle.
  /// - Returns: SQLite's result code.
  static func register(as name: String, _ open: @escaping Open) -> CInt {
    guard let pointer else { return SQLITE_ERROR }
    // SQLite keeps the pointers for as long as the process runs.
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
