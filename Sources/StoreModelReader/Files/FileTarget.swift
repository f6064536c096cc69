import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file that a path names, and what a new file in its place has to take over.
struct FileTarget {
  /// Of the file itself, where the given path is a symbolic link.
  let path: FilePath
  /// False for a pipe or a device, which is written to and stays.
  let isReplaced: Bool
  private let status: stat?

  init(_ path: FilePath) throws(FileWriteError) {
    guard let status = path.status() else {
      guard errno == ENOENT else { throw FileWriteError(errno) }
      guard !path.isTaken else { throw FileWriteError(.linkLeadsNowhere) }
      (self.path, isReplaced, self.status) = (path, true, nil)
      return
    }
    switch FilePath.Kind(status) {
    case .file: isReplaced = true
    case .folder: throw FileWriteError(EISDIR)
    case .link, .pipe, .other: isReplaced = false
    }
    // rename(2) would replace a file that its owner has protected.
    guard path.allows(W_OK) else { throw FileWriteError(errno) }
    self.status = status
    self.path = isReplaced ? path.followed.spelled : path
  }

  /// Gives a new file the owner, for those who may, and the mode of the old one.
  func giveAttributes(to file: Int32) {
    guard let status else { return }
    var new = stat()
    if fstat(file, &new) == 0, (new.st_uid, new.st_gid) != (status.st_uid, status.st_gid) {
      // The mode after the owner, as a new owner takes bits away. Who isn't root may give the group only.
      if fchown(file, status.st_uid, status.st_gid) != 0 { fchown(file, uid_t.max, status.st_gid) }
    }
    fchmod(file, status.st_mode & 0o7777)
  }
}
