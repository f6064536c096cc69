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
