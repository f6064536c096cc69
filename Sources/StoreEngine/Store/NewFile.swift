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

/// A file that is made under a name of its own and then takes the place of nothing.
struct NewFile {
  let target: String
  let path: String

  /// Makes the file, empty, so that the system says why a folder does not take one.
  ///
  /// - Parameter suffix: tells someone who finds the file after a crash what it was to become.
  init(target: String, suffix: String = "new") throws(StoreError) {
    self.target = target
    path = "\(target).\(UUID().uuidString).\(suffix)"
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? .folderMissing(path: target) : StoreFile.error(errno, target)
    }
    close(file)
  }

  /// Waits until the disk has the file.
  func sync() throws(StoreError) { try Self.sync(path, for: target) }

  /// Waits until the disk has the name, too.
  func syncFolder() throws(StoreError) {
    let folder = StoreFile.folder(of: target)
    try Self.sync(folder.isEmpty ? "." : folder, for: target)
  }

  private static func sync(_ path: String, for target: String) throws(StoreError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw StoreFile.error(errno, target) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw StoreFile.error(errno, target) }
  }

  /// Gives the file its name, if that is free.
  func publish() throws(StoreError) {
    // Unlike rename(2), link(2) never replaces a file.
    guard link(path, target) != 0 else { return }
    switch errno {
    case EEXIST: throw .exists(path: target)
    case EPERM, ENOTSUP, EMLINK: try rename()
    case let code: throw StoreFile.error(code, target)
    }
  }

  /// For file systems without hard links.
  private func rename() throws(StoreError) {
    guard StoreFile.size(of: target) == nil else { throw .exists(path: target) }
    guard Self.rename(path, target) == 0 else { throw StoreFile.error(errno, target) }
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
  func discard() {
    for suffix in ["", "-wal", "-shm", "-journal"] { Self.remove(path + suffix) }
  }

  /// Removes a file if there is one.
  static func remove(_ path: String) {
    unlink(path)
  }
}
