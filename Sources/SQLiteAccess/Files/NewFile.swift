package import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A new database, which is created with a temporary name and then renamed.
package struct NewFile {
  package let target: LocalPath
  private let draft: Draft
  /// Whether the new file replaces an existing file.
  private let replaces: Bool

  package var path: LocalPath { draft.path }

  /// Whether the file has replaced another file.
  package var isRenamed: Bool { replaces && !path.isTaken }

  /// Creates an empty file with a temporary name, so that a lack of write permission for the folder is reported
  /// immediately.
  ///
  /// - Parameters:
  ///   - original: the file that is copied, or nil. The new file has the mode of the original and, if the process runs
  ///     as root, its owner. If both are in the same folder, temporary files of killed processes are removed if their
  ///     final name begins with the name of the original.
  ///   - replaces: whether the new file replaces an existing file.
  /// - Throws: `DatabaseError.exists` if the file exists and isn't replaced, or if a companion file that SQLite would
  ///   use for it exists; `DatabaseError.folderMissing`; another `DatabaseError` if the file can't be created.
  package init(
    target: LocalPath, like original: LocalPath? = nil, replaces: Bool = false
  ) throws(DatabaseError) {
    try Self.requireFree(target, replaces: replaces)
    self.target = target
    self.replaces = replaces
    let file: OpenFile
    do {
      let folder = try StagingFolder(target.parent)
      if let original, original.parent == target.parent {
        // The names of copies can differ, but they usually begin with the original's name, as in `a.sqlite.1.backup`.
        folder.removeAbandoned { $0.bytes.starts(with: original.name.bytes) }
      }
      (draft, file) = try folder.makeFile(for: target.name)
    } catch {
      throw error.isMissing
        ? .folderMissing(path: target) : DatabaseFile.error(error, target)
    }
    if let status = original?.status() {
      if geteuid() == 0 { _ = fchown(file.descriptor, status.owner, status.group) }
      _ = fchmod(file.descriptor, status.mode & 0o777)
    }
  }

  /// Checks that neither the file nor a companion file exists. SQLite would read the `-wal` or journal of an earlier
  /// file as a part of the new one.
  ///
  /// - Parameter replaces: whether the file itself may be an existing regular file.
  private static func requireFree(
    _ target: LocalPath, replaces: Bool = false
  ) throws(DatabaseError) {
    for name in [target] + DatabaseFile.companions.map({ "\(target)\($0)" }) {
      // A link to a missing file also counts as existing.
      guard let status = name.status(followsLinks: false) else { continue }
      guard replaces, name == target, status.kind == .file else { throw .exists(path: name) }
    }
  }

  /// Syncs the content of a file to disk.
  ///
  /// - Parameter target: the path for error messages.
  package static func sync(_ path: LocalPath, for target: LocalPath) throws(DatabaseError) {
    do {
      try sync(path)
    } catch {
      throw DatabaseFile.error(error, target)
    }
  }

  /// Syncs the names in a folder to disk.
  ///
  /// Like SQLite, this function ignores folders that can't be synced: folders that can be written but not read, and
  /// folders on file systems without this feature.
  ///
  /// - Parameter target: the path for error messages.
  package static func syncFolder(_ path: LocalPath, for target: LocalPath) throws(DatabaseError) {
    do {
      try sync(path.orHere)
    } catch {
      guard [EACCES, EINVAL, ENOTSUP].contains(error.code) else {
        throw DatabaseFile.error(error, target)
      }
    }
  }

  private static func sync(_ path: LocalPath) throws(SystemError) {
    try OpenFile(path, O_RDONLY).sync()
  }

  /// Gives the file its final name, unless a file with that name exists and isn't replaced. The content is synced
  /// before the name, so that after a crash, the file with that name is complete, or missing, or the old one.
  ///
  /// - Throws: `DatabaseError`. The file with the final name then doesn't exist, unless it existed before.
  package func publish() throws(DatabaseError) {
    try Self.sync(path, for: target)
    try publishForNow()
    discard()
    do {
      try Self.syncFolder(target.folder, for: target)
    } catch {
      if !replaces { Self.remove(target) }
      throw error
    }
  }

  /// Gives the file its final name without syncing, for a file that doesn't need to survive a crash. The temporary name
  /// can remain until `discard`.
  package func publishForNow() throws(DatabaseError) {
    try Self.requireFree(target, replaces: replaces)
    if replaces { return try rename() }
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

  /// Gives the file its final name on file systems without hard links, or in place of an existing file.
  private func rename() throws(DatabaseError) {
    do {
      try path.rename(to: target)
    } catch {
      throw DatabaseFile.error(error, target)
    }
  }

  /// Removes the temporary file and its companions.
  package func discard() {
    Self.removeDatabase(path)
  }

  package static func removeDatabase(_ path: LocalPath) {
    for suffix in [""] + DatabaseFile.companions { remove("\(path)\(suffix)") }
  }

  /// Removes a file if it exists.
  package static func remove(_ path: LocalPath) {
    _ = path.withCString { unlink($0) }
  }
}
