#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A database that is made under a name of its own and then takes the place of nothing.
package struct NewFile {
  package let target: String
  package let path: String

  /// Makes the file, empty, so that the system says why a folder does not take one.
  ///
  /// - Parameter suffix: tells someone who finds the file after a crash what it was to become.
  /// - Throws: `DatabaseError.exists` also for a file that SQLite would take for the new one's.
  package init(target: String, suffix: String = "new") throws(DatabaseError) {
    try Self.requireFree(target)
    self.target = target
    path = "\(target).\(UUID().uuidString).\(suffix)"
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .folderMissing(path: target) : DatabaseFile.error(errno, target)
    }
    close(file)
  }

  /// A `-wal` or journal of an earlier file of that name would be read as part of the new one.
  private static func requireFree(_ target: String) throws(DatabaseError) {
    for name in [target] + DatabaseFile.companions.map({ target + $0 }) {
      var status = stat()
      // A link that leads nowhere is in the way, too.
      guard lstat(name, &status) != 0 else { throw .exists(path: name) }
    }
  }

  /// Waits until the disk has the content of a file.
  ///
  /// - Parameter target: for error messages.
  package static func sync(_ path: String, for target: String) throws(DatabaseError) {
    let code = sync(path)
    guard code == 0 else { throw DatabaseFile.error(code, target) }
  }

  /// Waits until the disk has the names in a folder.
  ///
  /// As SQLite, it leaves alone what can't be synced: a folder that may be written and not be read, and
  /// those of file systems that know no such thing.
  package static func syncFolder(_ path: String, for target: String) throws(DatabaseError) {
    switch sync(path.isEmpty ? "." : path) {
    case 0, EACCES, EINVAL, ENOTSUP: return
    case let code: throw DatabaseFile.error(code, target)
    }
  }

  /// - Returns: `errno`, or 0.
  private static func sync(_ path: String) -> CInt {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    return fsync(file) == 0 ? 0 : errno
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
      try Self.syncFolder(DatabaseFile.folder(of: target), for: target)
    } catch {
      Self.remove(target)
      throw error
    }
  }

  /// Gives a file its name that need not outlive a crash.
  package func publishForNow() throws(DatabaseError) {
    try Self.requireFree(target)
    // Unlike rename(2), link(2) never replaces a file.
    guard link(path, target) != 0 else { return }
    switch errno {
    case EEXIST: throw .exists(path: target)
    case EPERM, ENOTSUP, EMLINK: try rename()
    case let code: throw DatabaseFile.error(code, target)
    }
  }

  /// For file systems without hard links.
  private func rename() throws(DatabaseError) {
    guard Self.rename(path, target) == 0 else { throw DatabaseFile.error(errno, target) }
  }

  private static func rename(_ old: String, _ new: String) -> CInt {
    #if canImport(Glibc)
      Glibc.rename(old, new)
    #elseif canImport(Musl)
      Musl.rename(old, new)
    #else
      Darwin.rename(old, new)
    #endif
  }

  /// Removes the first name and whatever SQLite left beside it.
  package func discard() {
    Self.removeDatabase(path)
  }

  package static func removeDatabase(_ path: String) {
    for suffix in [""] + DatabaseFile.companions { remove(path + suffix) }
  }

  /// Removes a file if there is one.
  package static func remove(_ path: String) {
    unlink(path)
  }
}
