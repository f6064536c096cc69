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

/// A folder in which new files are written under hidden names until they are whole.
///
/// Each draft is locked until its process ends or is done with it, so that a draft without a lock was abandoned. The
/// folder is locked while a draft is created: no other process ever sees a draft that isn't locked yet.
package final class StagingFolder: Sendable {
  private let path: FilePath
  private let descriptor: CInt

  /// - Parameter path: empty for the working directory.
  package init(_ path: FilePath) throws(SystemError) {
    self.path = path
    descriptor = path.orHere.descriptor(O_RDONLY | O_DIRECTORY)
    // A folder that may be written to and not be read can neither be locked nor synced.
    guard descriptor >= 0 || errno == EACCES else { throw .last }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Creates an empty draft of a file, and removes the abandoned drafts of that name.
  ///
  /// - Parameter mode: as far as the process's mask allows.
  package func makeFile(for name: FilePath, mode: mode_t = 0o644) throws(SystemError) -> Draft {
    try make(name) { path throws(SystemError) in
      let file = path.descriptor(O_CREAT | O_EXCL | O_WRONLY, mode: mode)
      guard file >= 0 else { throw .last }
      return file
    }
  }

  /// Creates an empty draft of a folder, and removes the abandoned drafts of that name.
  package func makeFolder(
    for name: FilePath, mode: mode_t = 0o755
  ) throws(SystemError) -> Draft {
    try make(name) { path throws(SystemError) in
      try path.makeFolder(mode: mode)
      // A folder that can't be read is not locked. Other processes can't list it either, so they don't remove it.
      return path.descriptor(O_RDONLY | O_DIRECTORY)
    }
  }

  private func make(
    _ name: FilePath, _ create: (FilePath) throws(SystemError) -> CInt
  ) throws(SystemError) -> Draft {
    try locked { () throws(SystemError) in
      removeUnlocked { $0 == name }
      // Hidden, and a reader of models passes it by: '.Todo.swift.UUID.new'.
      let path = path.appending(".\(name).\(UUID().uuidString)\(Self.ending)")
      return Draft(path, try create(path))
    }
  }

  private static let ending = ".new"

  private func locked<T, Failure>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
    guard descriptor >= 0 else { return try body() }
    while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    defer { _ = flock(descriptor, LOCK_UN) }
    return try body()
  }

  /// Removes the drafts that killed processes have left, with what SQLite left beside them.
  ///
  /// - Parameter isMeant: whether a draft of the file of this name is to go.
  package func removeAbandoned(where isMeant: (FilePath) -> Bool) {
    locked { removeUnlocked(where: isMeant) }
  }

  private func removeUnlocked(where isMeant: (FilePath) -> Bool) {
    guard descriptor >= 0 else { return }
    let names: [FilePath]
    do {
      names = try path.names()
    } catch {
      // They stay until the folder can be listed.
      return
    }
    for name in names {
      guard let (draft, target) = Self.parts(of: name), isMeant(target) else { continue }
      let isDraft = draft == name
      if isDraft ? DraftLock.isFree(path.appending(name)) : !path.appending(draft).isTaken {
        Self.remove(path.appending(name))
      }
    }
  }

  /// The draft to which a file belongs, and the name that the draft gets when it is whole; nil for other files.
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

  /// Of the files that SQLite keeps beside a database.
  private static let companionEndings = ["-wal", "-shm", "-journal"]

  /// Waits until the disk has the names in the folder, if its file system supports that.
  package func sync() throws(SystemError) {
    guard descriptor >= 0 else { return }
    try DiskSync.wait(for: descriptor, ignoring: [EINVAL, ENOTSUP])
  }

  /// Removes a draft: a file, or a folder with everything in it.
  fileprivate static func remove(_ draft: FilePath) {
    do {
      try draft.removeAll()
    } catch {
      // The next run removes it.
    }
  }
}

/// A file or folder that isn't whole yet.
package final class Draft: Sendable {
  package let path: FilePath
  /// Of the file, for writing; negative for a folder that can't be read. It is closed with the draft.
  package let descriptor: CInt
  private let lock: DraftLock

  fileprivate init(_ path: FilePath, _ descriptor: CInt) {
    self.path = path
    self.descriptor = descriptor
    lock = DraftLock(descriptor)
  }

  /// Removes the draft, if it still has this name.
  package func remove() {
    if path.isTaken { StagingFolder.remove(path) }
  }
}
