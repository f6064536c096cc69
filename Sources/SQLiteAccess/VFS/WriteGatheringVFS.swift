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
    DefaultVFS.open(name, handle, flags, outFlags) { handleSize -> WriteGatheringFile? in
      guard flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_SUBJOURNAL) != 0 else { return nil }
      let isLog = flags & SQLITE_OPEN_WAL != 0
      let isNew =
        isLog && name.map { DatabaseFile.size(of: LocalPath(cString: $0)) == nil } ?? false
      return WriteGatheringFile(
        handleSize: handleSize, kind: isLog ? .log : .statementJournal, isNew: isNew)
    } attach: { file, handle in
      file.attach(to: handle)
    }
  }
}
