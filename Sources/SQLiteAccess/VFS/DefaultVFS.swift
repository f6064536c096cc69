import CSQLite

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
