package import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// New content of a file, which is written and synced under a hidden name in the same folder. `publish()` renames this
/// draft to the path of the file.
///
/// After a crash or a power failure, the file has either its old or its new content. The new file has the mode of the
/// file that it replaces and, if permitted, its owner and group. A symbolic link remains, and its target is replaced. A
/// pipe or a device is written to directly.
package final class StagedFile {
  private let target: FileTarget
  /// The path to which the draft is renamed: the path of the file or, if its folder is created together with it, of the
  /// folder.
  private let renamed: LocalPath
  private var folder: StagingFolder?
  /// The file or folder under the hidden name. It is nil before it is created, and after it is published or removed.
  private var draft: Draft?

  /// - Parameter makesFolder: Whether the folder of the file is created if it is missing. Its parent folders must
  ///   exist. The folder appears together with the file.
  package init(
    _ bytes: [UInt8], for path: LocalPath, makesFolder: Bool = false
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

  private static func renamed(_ target: FileTarget, makesFolder: Bool) -> LocalPath {
    let folder = target.path.parent
    return makesFolder && !folder.isEmpty && folder.kind == nil ? folder : target.path
  }

  /// Renames the draft to its path, and waits until the name is on disk.
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

  /// Renames the draft to its path unless the path exists.
  ///
  /// - Throws: `FileWriteError`, whose `isTaken` is true if the path exists.
  package func publishIfFree() throws(FileWriteError) {
    guard let draft else { throw FileWriteError(EEXIST) }
    // Unlike rename(2), link(2) never replaces a file. The draft is renamed if it is a folder or the file system
    // doesn't support hard links.
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

  /// Removes the draft unless it is published.
  package func discard() {
    draft?.remove()
    draft = nil
  }

  private static func write(
    _ bytes: [UInt8], to path: LocalPath, _ flags: CInt
  ) throws(SystemError) {
    try write(bytes, to: OpenFile(path, flags, mode: 0o666))
  }

  /// Writes the content, and waits until it is on disk.
  private static func write(_ bytes: [UInt8], to file: OpenFile) throws(SystemError) {
    try file.write(bytes)
    // A pipe or a terminal can't be synced.
    try file.sync(ignoring: [EINVAL, ENOTSUP, EROFS])
  }

  /// Replaces the content of a file, or creates the file.
  ///
  /// - Parameter makesFolders: Whether missing parent folders are created.
  package static func replace(
    _ path: LocalPath, with bytes: [UInt8], makesFolders: Bool = false
  ) throws(FileWriteError) {
    if makesFolders { try makeFolder(of: path.parent) }
    try StagedFile(bytes, for: path, makesFolder: makesFolders).publish()
  }

  /// Creates a file and its missing parent folders.
  ///
  /// - Throws: `FileWriteError`, whose `isTaken` is true if the file exists.
  package static func add(_ bytes: [UInt8], at path: LocalPath) throws(FileWriteError) {
    guard !path.isTaken else { throw FileWriteError(EEXIST) }
    try makeFolder(of: path.parent)
    try StagedFile(bytes, for: path, makesFolder: true).publishIfFree()
  }

  /// Creates the missing parent folders of a path, and waits until their names are on disk.
  private static func makeFolder(of path: LocalPath) throws(FileWriteError) {
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

/// The file at a path, with the attributes that a replacement must have.
struct FileTarget {
  /// The path of the file. If the file is replaced, symbolic links are resolved.
  let path: LocalPath
  /// Whether the file is created or replaced. A pipe or a device is written to instead.
  let isReplaced: Bool
  private let status: FileStatus?

  init(_ path: LocalPath) throws(FileWriteError) {
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
    // This is checked here, because rename(2) would also replace a write-protected file.
    guard path.allows(W_OK) else { throw FileWriteError(SystemError.last) }
    self.status = status
    self.path = isReplaced ? path.followed.spelled : path
  }

  /// Copies the mode and, if permitted, the owner and the group of the replaced file to the new file.
  func giveAttributes(to file: OpenFile) {
    guard let status else { return }
    let number = file.descriptor
    if let new = FileStatus(of: file), (new.owner, new.group) != (status.owner, status.group) {
      // Changing the owner clears bits of the mode, so the mode is set later. A user other than root can only change
      // the group.
      if fchown(number, status.owner, status.group) != 0 {
        fchown(number, uid_t.max, status.group)
      }
    }
    fchmod(number, status.mode)
  }
}

/// A reason why a file can't be written. The caller adds the path and the purpose of the file to the message.
package struct FileWriteError: Error, Hashable {
  /// Nil for a broken symbolic link.
  private let error: SystemError?

  static let linkLeadsNowhere = FileWriteError(nil)

  init(_ error: SystemError?) { self.error = error }

  init(_ code: CInt) { error = SystemError(code: code) }

  /// Whether the path exists.
  package var isTaken: Bool { error?.code == EEXIST }

  package var reason: String {
    guard let error else { return "it is a broken symbolic link" }
    switch error.code {
    case ENOENT: return "its folder doesn't exist"
    case EPIPE: return error.message
    default: return error.reason
    }
  }
}

extension DiagnosticMessage {
  /// Returns the error for a file that can't be written.
  package static func unwritable(_ path: LocalPath, _ code: String, _ reason: String)
    -> DiagnosticMessage
  {
    DiagnosticMessage(.error, code, "'\(path)' can't be written: \(reason)", cause: .inputOutput)
  }
}
