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

/// A folder in which new files are written with hidden names until they are complete.
///
/// Each draft is locked until its process ends or has finished it, so a draft without a lock is abandoned. The folder
/// is locked while a draft is created, so that other processes never see a draft that isn't locked yet.
package final class StagingFolder: Sendable {
  private let path: FilePath
  /// Nil for a folder that can be written but not read, which can't be locked or synced.
  private let folder: OpenFile?

  /// - Parameter path: empty for the working directory.
  package init(_ path: FilePath) throws(SystemError) {
    self.path = path
    do {
      folder = try OpenFile(path.orHere, O_RDONLY | O_DIRECTORY)
    } catch {
      guard error.code == EACCES else { throw error }
      folder = nil
    }
  }

  /// Creates an empty draft of a file, and removes the abandoned drafts with that name.
  ///
  /// - Parameter mode: the permissions, which the process's mask limits.
  /// - Returns: the draft, and its file for writing.
  package func makeFile(
    for name: FilePath, mode: mode_t = 0o644
  ) throws(SystemError) -> (draft: Draft, file: OpenFile) {
    try locked { () throws(SystemError) in
      let path = newPath(for: name)
      let file = try OpenFile(path, O_CREAT | O_EXCL | O_WRONLY, mode: mode)
      return (Draft(path, file), file)
    }
  }

  /// Creates an empty draft of a folder, and removes the abandoned drafts with that name.
  package func makeFolder(
    for name: FilePath, mode: mode_t = 0o755
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

  /// Removes the abandoned drafts with a name, and returns the path of a new one.
  private func newPath(for name: FilePath) -> FilePath {
    removeUnlocked { $0 == name }
    // The name is hidden, and readers of models ignore it: '.Todo.swift.UUID.new'.
    return path.appending(".\(name).\(UUID().uuidString)\(Self.ending)")
  }

  private static let ending = ".new"

  private func locked<T, Failure>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    folder?.lock(LOCK_EX)
    defer { folder?.lock(LOCK_UN) }
    return try body()
  }

  /// Removes the drafts of killed processes, with SQLite's companion files.
  ///
  /// - Parameter isMeant: whether to remove the drafts of a file.
  package func removeAbandoned(where isMeant: (FilePath) -> Bool) {
    locked { removeUnlocked(where: isMeant) }
  }

  private func removeUnlocked(where isMeant: (FilePath) -> Bool) {
    guard folder != nil else { return }
    let names: [FilePath]
    do {
      names = try path.names()
    } catch {
      // They remain until the folder can be listed.
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

  /// Returns the draft to which a file belongs, and its final name, or nil for other files.
  private static func parts(of name: FilePath) -> (draft: FilePath, target: FilePath)? {
    let draft =
      companionEndings.first { name.hasSuffix(ending + $0) }
      .map { name.dropLast($0.utf8.count) } ?? name
    let uuidLength = 36
    guard draft.hasSuffix(ending) else { return nil }
    let stem = draft.dropLast(ending.utf8.count)
    let target = stem.dropFirst(1).dropLast(uuidLength + 1)
    let uuid = stem.dropFirst(max(0, stem.bytes.count - uuidLength))
    guard !target.isEmpty, UUID(uuidString: "\(uuid)") != nil,
      stem == FilePath(".\(target).\(uuid)")
    else { return nil }
    return (draft, target)
  }

  /// The suffixes of SQLite's companion files.
  private static let companionEndings = ["-wal", "-shm", "-journal"]

  /// Syncs the names in the folder to disk, if its file system supports it.
  package func sync() throws(SystemError) {
    try folder?.sync(ignoring: [EINVAL, ENOTSUP])
  }

  /// Removes a draft: a file, or a folder with its content.
  fileprivate static func remove(_ draft: FilePath) {
    do {
      try draft.removeAll()
    } catch {
      // The next run removes it.
    }
  }
}

/// A file or folder that isn't complete yet.
package final class Draft: Sendable {
  package let path: FilePath
  private let file: OpenFile?

  /// Locks the draft until the value is released or the process ends.
  ///
  /// - Parameter file: nil for no lock.
  package init(_ path: FilePath, _ file: OpenFile?) {
    self.path = path
    self.file = file
    file?.lock(LOCK_SH | LOCK_NB)
  }

  /// Returns whether the draft isn't locked, because its process was killed.
  package static func isAbandoned(_ path: FilePath) -> Bool {
    do throws(SystemError) {
      return try OpenFile(path, O_RDONLY).lock(LOCK_EX | LOCK_NB)
    } catch {
      return false
    }
  }

  /// Removes the draft, if it still has this name.
  package func remove() {
    if path.isTaken { StagingFolder.remove(path) }
  }
}
