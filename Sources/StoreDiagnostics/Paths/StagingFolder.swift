#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#else
  package import Darwin
#endif

/// A folder in which new files are written with hidden names until they are complete. Such an incomplete file is a
/// draft.
///
/// A process locks each of its drafts until the draft is complete or the process ends. A draft without a lock is
/// therefore abandoned. The folder is locked while a draft is created, so that other processes never see a draft that
/// isn't locked yet.
package final class StagingFolder: Sendable {
  private let path: LocalPath
  /// The open folder. Nil if it can be written but not read, because such a folder can't be locked or synced.
  private let folder: OpenFile?

  /// - Parameter path: the path of the folder. The empty path is the working directory.
  package init(_ path: LocalPath) throws(SystemError) {
    self.path = path
    do {
      folder = try OpenFile(path.orHere, O_RDONLY | O_DIRECTORY)
    } catch {
      guard error.code == EACCES else { throw error }
      folder = nil
    }
  }

  /// Creates an empty draft of the file `name`, and removes abandoned drafts of the same file.
  ///
  /// - Parameters:
  ///   - name: the final name of the file.
  ///   - mode: the permissions, which the umask of the process can restrict.
  /// - Returns: the draft, and the file, which is open for writing.
  package func makeFile(
    for name: LocalPath, mode: mode_t = 0o644
  ) throws(SystemError) -> (draft: Draft, file: OpenFile) {
    try locked { () throws(SystemError) in
      let path = newPath(for: name)
      let file = try OpenFile(path, O_CREAT | O_EXCL | O_WRONLY, mode: mode)
      return (Draft(path, file), file)
    }
  }

  /// Creates an empty draft of the folder `name`, and removes abandoned drafts of the same folder.
  package func makeFolder(
    for name: LocalPath, mode: mode_t = 0o755
  ) throws(SystemError) -> Draft {
    try locked { () throws(SystemError) in
      let path = newPath(for: name)
      try path.makeFolder(mode: mode)
      // A folder that can't be read isn't locked. Other processes can't list it either, so they don't remove it.
      do throws(SystemError) {
        return Draft(path, try OpenFile(path, O_RDONLY | O_DIRECTORY))
      } catch {
        return Draft(path, nil)
      }
    }
  }

  /// Removes the abandoned drafts of the file `name`, and returns the path for a new draft.
  private func newPath(for name: LocalPath) -> LocalPath {
    removeUnlocked { $0 == name }
    // The name begins with a dot, such as '.Todo.swift.UUID.new', so it is hidden, and readers of models ignore it.
    return path.appending(".\(name).\(UUID().uuidString)\(Self.ending)")
  }

  private static let ending = ".new"

  private func locked<T, Failure>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    folder?.lock(LOCK_EX)
    defer { folder?.lock(LOCK_UN) }
    return try body()
  }

  /// Removes the drafts of killed processes, with their SQLite companion files.
  ///
  /// - Parameter isMeant: returns whether to remove the drafts of the file with this final name.
  package func removeAbandoned(where isMeant: (LocalPath) -> Bool) {
    locked { removeUnlocked(where: isMeant) }
  }

  private func removeUnlocked(where isMeant: (LocalPath) -> Bool) {
    guard folder != nil else { return }
    let names: [LocalPath]
    do {
      names = try path.names()
    } catch {
      // Abandoned drafts remain until the folder can be listed.
      return
    }
    for name in names {
      guard let (draft, target) = Self.parts(of: name), isMeant(target) else { continue }
      let isDraft = draft == name
      if isDraft ? Draft.isAbandoned(path.appending(name)) : !path.appending(draft).isTaken {
        Self.remove(path.appending(name))
      }
    }
  }

  /// Returns the names of a draft and of its final file if `name` is the draft or one of its companion files. Returns
  /// nil for other names.
  private static func parts(of name: LocalPath) -> (draft: LocalPath, target: LocalPath)? {
    let draft =
      companionEndings.first { name.hasSuffix(ending + $0) }
      .map { name.dropLast($0.utf8.count) } ?? name
    let uuidLength = 36
    guard draft.hasSuffix(ending) else { return nil }
    let stem = draft.dropLast(ending.utf8.count)
    let target = stem.dropFirst(1).dropLast(uuidLength + 1)
    let uuid = stem.dropFirst(max(0, stem.bytes.count - uuidLength))
    guard !target.isEmpty, UUID(uuidString: "\(uuid)") != nil,
      stem == LocalPath(".\(target).\(uuid)")
    else { return nil }
    return (draft, target)
  }

  /// The suffixes of SQLite's companion files.
  private static let companionEndings = ["-wal", "-shm", "-journal"]

  /// Syncs the names in the folder to disk, if the folder is readable and its file system supports the sync.
  package func sync() throws(SystemError) {
    try folder?.sync(ignoring: [EINVAL, ENOTSUP])
  }

  /// Removes a draft, which is a file or a folder with its content. Errors are ignored.
  fileprivate static func remove(_ draft: LocalPath) {
    do {
      try draft.removeAll()
    } catch {
      // The draft is abandoned. A later run removes it.
    }
  }
}

/// A file or folder that isn't complete yet, and has a hidden name.
package final class Draft: Sendable {
  package let path: LocalPath
  private let file: OpenFile?

  /// Locks the draft until this object is released or the process ends.
  ///
  /// - Parameter file: the open draft. Nil if it can't be opened, so it isn't locked.
  package init(_ path: LocalPath, _ file: OpenFile?) {
    self.path = path
    self.file = file
    file?.lock(LOCK_SH | LOCK_NB)
  }

  /// Returns whether the draft can be opened and no process has locked it. The process that created it has then ended.
  package static func isAbandoned(_ path: LocalPath) -> Bool {
    do throws(SystemError) {
      return try OpenFile(path, O_RDONLY).lock(LOCK_EX | LOCK_NB)
    } catch {
      return false
    }
  }

  /// Removes the draft if a file still exists at its path. A completed draft has another name.
  package func remove() {
    if path.isTaken { StagingFolder.remove(path) }
  }
}
