package import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A database that is made under a name of its own and then takes the place of nothing.
package struct NewFile {
  package let target: FilePath
  private let draft: Draft

  package var path: FilePath { draft.path }

  /// Creates the empty file, so that a folder that can't take one is reported at once. Drafts of killed processes are
  /// removed.
  ///
  /// - Parameter original: the file that the new one is a copy of. The copy keeps its mode and, for root, its owner.
  /// - Throws: `DatabaseError.exists` also for a file that SQLite would take for the new one's.
  package init(target: FilePath, like original: FilePath? = nil) throws(DatabaseError) {
    try Self.requireFree(target)
    self.target = target
    let file: OpenFile
    do {
      let folder = try StagingFolder(target.parent)
      if let original, original.parent == target.parent {
        // Each copy of a store may have another name.
        folder.removeAbandoned { $0.bytes.starts(with: original.name.bytes) }
      }
      (draft, file) = try folder.makeFile(for: target.name)
    } catch {
      throw error.isMissing
        ? .folderMissing(path: target) : DatabaseFile.error(error, target)
    }
    if let status = original?.status() {
      // A new owner takes bits of the mode away, so the mode comes last.
      if geteuid() == 0 { _ = fchown(file.descriptor, status.owner, status.group) }
      _ = fchmod(file.descriptor, status.mode & 0o777)
    }
  }

  /// A `-wal` or journal of an earlier file of that name would be read as part of the new one.
  private static func requireFree(_ target: FilePath) throws(DatabaseError) {
    for name in [target] + DatabaseFile.companions.map({ "\(target)\($0)" }) {
      // A link that leads nowhere is in the way, too.
      guard name.status(followsLinks: false) == nil else { throw .exists(path: name) }
    }
  }

  /// Waits until the disk has the content of a file.
  ///
  /// - Parameter target: for error messages.
  package static func sync(_ path: FilePath, for target: FilePath) throws(DatabaseError) {
    do {
      try sync(path)
    } catch {
      throw DatabaseFile.error(error, target)
    }
  }

  /// Waits until the disk has the names in a folder.
  ///
  /// As SQLite, it leaves alone what can't be synced: a folder that may be written and not be read, and
  /// those of file systems that know no such thing.
  package static func syncFolder(_ path: FilePath, for target: FilePath) throws(DatabaseError) {
    do {
      try sync(path.orHere)
    } catch {
      guard [EACCES, EINVAL, ENOTSUP].contains(error.code) else {
        throw DatabaseFile.error(error, target)
      }
    }
  }

  private static func sync(_ path: FilePath) throws(SystemError) {
    try OpenFile(path, O_RDONLY).sync()
  }

  /// Gives the file its name, if that is free; on the disk, the content before the name, so that
  /// whatever happens there is a whole file under it or none.
  ///
  /// - Throws: `DatabaseError`; there is then no file under the name that was not there before.
  package func publish() throws(DatabaseError) {
    try Self.sync(path, for: target)
    try publishForNow()
    discard()
    do {
      try Self.syncFolder(target.folder, for: target)
    } catch {
      Self.remove(target)
      throw error
    }
  }

  /// Gives a file its name that need not outlive a crash.
  package func publishForNow() throws(DatabaseError) {
    try Self.requireFree(target)
    // Unlike rename(2), link(2) never replaces a file.
    do {
      try path.link(to: target)
    } catch {
      switch error.code {
      case EEXIST: throw .exists(path: target)
      case EPERM, ENOTSUP, EMLINK: try rename()
      default: throw DatabaseFile.error(error, target)
      }
    }
  }

  /// For file systems without hard links.
  private func rename() throws(DatabaseError) {
    do {
      try path.rename(to: target)
    } catch {
      throw DatabaseFile.error(error, target)
    }
  }

  /// Removes the first name and whatever SQLite left beside it.
  package func discard() {
    Self.removeDatabase(path)
  }

  package static func removeDatabase(_ path: FilePath) {
    for suffix in [""] + DatabaseFile.companions { remove("\(path)\(suffix)") }
  }

  /// Removes a file if there is one.
  package static func remove(_ path: FilePath) {
    _ = path.withCString { unlink($0) }
  }
}
