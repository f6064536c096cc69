import StoreDiagnostics
import CSQLite

/// A VFS with fewer and larger writes, for stores that are opened for writing.
///
/// A statement that changes many rows writes each page to the `-wal`, and some pages also to the statement journal.
/// Each page takes two system calls, which are a large part of the statement's time. `WriteGatheringFile` wraps these
/// two types of files.
///
/// Other files use the default VFS. Other processes must see writes to the rollback journal and the database
/// immediately. After an incomplete checkpoint, SQLite doesn't make another call at which collected pages of the
/// database could be written.
package enum WriteGatheringVFS {
  /// The name for the `vfs` parameter of a URI.
  package static let name = "storetool-write-gathering"

  /// Registers the VFS once per process.
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
      // SQLite doesn't call `xClose` for a handle without methods.
      handle.pointee.pMethods = nil
      return code
    }
    file.attach(to: handle)
    return SQLITE_OK
  }
}
