import StoreDiagnostics
import CSQLite

/// SQLite's own way to files, with fewer and larger writes; for stores that are opened for writing.
///
/// A statement over many rows writes each page to the `-wal`, and some to the statement's journal,
/// with two calls of the system each, which take much of the time. `WriteGatheringFile` wraps these
/// two kinds of files; all others are the default VFS's. Among them are those whose writes others see
/// at once: the database, where a checkpoint that readers keep from its end tells them of its pages
/// without another call, and the rollback journal.
package enum WriteGatheringVFS {
  /// For the `vfs` parameter of a database's URI.
  package static let name = "storetool-write-gathering"

  /// Makes the name known to SQLite, once in a process.
  ///
  /// - Returns: SQLite's result code.
  @discardableResult
  package static func register() -> CInt { registration }

  private static let registration = DefaultVFS.register(as: name) {
    _, name, handle, flags, outFlags in
    WriteGatheringVFS.open(name, handle, flags, outFlags)
  }

  private static let wrapped = SQLITE_OPEN_WAL | SQLITE_OPEN_SUBJOURNAL

  private static func open(
    _ name: UnsafePointer<CChar>?, _ handle: UnsafeMutablePointer<sqlite3_file>?, _ flags: CInt,
    _ outFlags: UnsafeMutablePointer<CInt>?
  ) -> CInt {
    guard let original = DefaultVFS.pointer, let handle, let open = original.pointee.xOpen else {
      return SQLITE_CANTOPEN
    }
    guard flags & wrapped != 0 else { return open(original, name, handle, flags, outFlags) }
    let isLog = flags & SQLITE_OPEN_WAL != 0
    let file = WriteGatheringFile(
      handleSize: Int(original.pointee.szOsFile), kind: isLog ? .log : .statementJournal,
      isNew: isLog && name.map { DatabaseFile.size(of: FilePath(cString: $0)) == nil } ?? false)
    let code = open(original, name, file.original, flags, outFlags)
    guard code == SQLITE_OK else {
      file.close()
      // Tells SQLite that there is nothing to close.
      handle.pointee.pMethods = nil
      return code
    }
    file.attach(to: handle)
    return SQLITE_OK
  }
}
