package import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// New content of a file, written and synced under a hidden name beside it.
///
/// After a kill or a power cut the file has its old content or the new one. The new file gets the mode and, for root, the
/// owner of the file that it replaces. A symbolic link stays a link: the file that it leads to gets the content.
package final class StagedFile {
  private let target: FileTarget
  /// What the draft becomes: the file, or the folder that is created with it.
  private let renamed: FilePath
  private var folder: StagingFolder?
  /// Nil where there is none, or none any more.
  private var draft: Draft?

  /// - Parameter makesFolder: creates the folder of the file, one level, where it is missing. The folder appears together
  ///   with the file.
  package init(
    _ bytes: [UInt8], for path: FilePath, makesFolder: Bool = false
  ) throws(FileWriteError) {
    target = try FileTarget(path)
    renamed = Self.renamed(target, makesFolder: makesFolder)
    do throws(SystemError) {
      try target.isReplaced ? stage(bytes) : Self.write(bytes, to: target.path, O_WRONLY)
    } catch {
      discard()
      throw FileWriteError(error)
    }
  }

  private func stage(_ bytes: [UInt8]) throws(SystemError) {
    let folder = try StagingFolder(renamed.parent)
    self.folder = folder
    if renamed == target.path {
      let (draft, file) = try folder.makeFile(for: renamed.name, mode: 0o666)
      self.draft = draft
      target.giveAttributes(to: file)
      try Self.write(bytes, to: file)
    } else {
      let draft = try folder.makeFolder(for: renamed.name, mode: 0o777)
      self.draft = draft
      let file = draft.path.appending(target.path.name)
      try Self.write(bytes, to: file, O_CREAT | O_EXCL | O_WRONLY)
      try StagingFolder(draft.path).sync()
    }
  }

  deinit { discard() }

  /// The file, or its folder where that is created with it.
  private static func renamed(_ target: FileTarget, makesFolder: Bool) -> FilePath {
    let folder = target.path.parent
    return makesFolder && !folder.isEmpty && folder.kind == nil ? folder : target.path
  }

  /// Gives the content its name, and waits until the disk has it.
  package func publish() throws(FileWriteError) {
    guard let draft else { return }
    do {
      try draft.path.rename(to: renamed)
      self.draft = nil
      try folder?.sync()
    } catch {
      throw FileWriteError(error)
    }
  }

  /// Gives the content its name unless that is taken.
  ///
  /// - Throws: `FileWriteError` with `isTaken` where it is.
  package func publishIfFree() throws(FileWriteError) {
    guard let draft else { throw FileWriteError(EEXIST) }
    // Unlike rename(2), link(2) never replaces a file. Some file systems have no hard links.
    do {
      try draft.path.link(to: renamed)
    } catch {
      guard [EPERM, ENOTSUP, EMLINK].contains(error.code), !renamed.isTaken else {
        throw FileWriteError(error)
      }
      return try publish()
    }
    discard()
    do {
      try folder?.sync()
    } catch {
      throw FileWriteError(error)
    }
  }

  /// Removes the draft, if it isn't published.
  package func discard() {
    draft?.remove()
    draft = nil
  }

  private static func write(
    _ bytes: [UInt8], to path: FilePath, _ flags: CInt
  ) throws(SystemError) {
    try write(bytes, to: OpenFile(path, flags, mode: 0o666))
  }

  /// Writes, and waits until the disk has the content.
  private static func write(_ bytes: [UInt8], to file: OpenFile) throws(SystemError) {
    try file.write(bytes)
    // A pipe or a terminal has nothing to sync.
    try file.sync(ignoring: [EINVAL, ENOTSUP, EROFS])
  }

  /// Whether there is a file whose content would be replaced. A pipe or a device has none.
  package static func replacesFile(at path: FilePath) -> Bool {
    path.kind == .file
  }

  /// Replaces the content of a file, or creates the file.
  ///
  /// - Parameter makesFolders: creates the folders around the file that are missing.
  package static func replace(
    _ path: FilePath, with bytes: [UInt8], makesFolders: Bool = false
  ) throws(FileWriteError) {
    // The innermost folder appears together with the file.
    if makesFolders { try makeFolder(of: path.parent) }
    try StagedFile(bytes, for: path, makesFolder: makesFolders).publish()
  }

  /// Creates a file and the folders around it that are missing, unless there is such a file.
  package static func add(_ bytes: [UInt8], at path: FilePath) throws(FileWriteError) {
    guard !path.isTaken else { throw FileWriteError(EEXIST) }
    try makeFolder(of: path.parent)
    try StagedFile(bytes, for: path, makesFolder: true).publishIfFree()
  }

  /// Creates the folder of a file with the folders around it, and waits until the disk has their names.
  private static func makeFolder(of path: FilePath) throws(FileWriteError) {
    let folder = path.parent
    guard !folder.isEmpty, folder.kind == nil else { return }
    try makeFolder(of: folder)
    do throws(SystemError) {
      do {
        try folder.makeFolder(mode: 0o777)
      } catch {
        guard error.code == EEXIST else { throw error }
      }
      try StagingFolder(folder.parent).sync()
    } catch {
      throw FileWriteError(error)
    }
  }
}

/// The file that a path names, and what a new file in its place has to take over.
struct FileTarget {
  /// Of the file itself, where the given path is a symbolic link.
  let path: FilePath
  /// False for a pipe or a device, which is written to and stays.
  let isReplaced: Bool
  private let status: FileStatus?

  init(_ path: FilePath) throws(FileWriteError) {
    guard let status = path.status() else {
      let error = SystemError.last
      guard error.code == ENOENT else { throw FileWriteError(error) }
      guard !path.isTaken else { throw .linkLeadsNowhere }
      (self.path, isReplaced, self.status) = (path, true, nil)
      return
    }
    switch status.kind {
    case .file: isReplaced = true
    case .folder: throw FileWriteError(EISDIR)
    case .link, .pipe, .other: isReplaced = false
    }
    // rename(2) would replace a file that its owner has protected.
    guard path.allows(W_OK) else { throw FileWriteError(SystemError.last) }
    self.status = status
    self.path = isReplaced ? path.followed.spelled : path
  }

  /// Gives a new file the owner, for those who may, and the mode of the old one.
  func giveAttributes(to file: OpenFile) {
    guard let status else { return }
    let number = file.descriptor
    if let new = FileStatus(of: file), (new.owner, new.group) != (status.owner, status.group) {
      // The mode after the owner, as a new owner takes bits away. Who isn't root may give the group only.
      if fchown(number, status.owner, status.group) != 0 {
        fchown(number, uid_t.max, status.group)
      }
    }
    fchmod(number, status.mode)
  }
}

/// Why a file can't be written. Each command names the file and says what it was to become.
package struct FileWriteError: Error, Hashable {
  /// Nil for a symbolic link that leads nowhere.
  private let error: SystemError?

  static let linkLeadsNowhere = FileWriteError(nil)

  init(_ error: SystemError?) { self.error = error }

  init(_ code: CInt) { error = SystemError(code: code) }

  /// Whether another file has the name.
  package var isTaken: Bool { error?.code == EEXIST }

  package var reason: String {
    guard let error else { return "it is a symbolic link that leads nowhere" }
    switch error.code {
    case ENOENT: return "its folder does not exist"
    // A pipe without a reader.
    case EPIPE: return error.message
    default: return error.reason
    }
  }
}
