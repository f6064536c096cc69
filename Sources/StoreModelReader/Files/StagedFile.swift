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
  /// A file, or the folder that was created around it.
  private let draft: FilePath
  /// What the draft becomes.
  private let renamed: FilePath
  /// Nil where there is no draft.
  private var folder: StagingFolder?

  /// - Parameter makesFolder: creates the folder of the file, one level, where it is missing. The folder appears together
  ///   with the file.
  package init(
    _ bytes: [UInt8], for path: FilePath, makesFolder: Bool = false
  ) throws(FileWriteError) {
    target = try FileTarget(path)
    renamed = Self.renamed(target, makesFolder: makesFolder)
    let isNewFolder = renamed != target.path
    guard target.isReplaced else {
      draft = target.path
      try Self.write(bytes, to: try Self.opened(target.path, O_WRONLY))
      return
    }
    let folder = try StagingFolder(renamed.parent)
    folder.removeAbandoned(of: renamed.name)
    let hidden = folder.draftPath(of: renamed.name)
    (draft, self.folder) = (hidden, folder)
    do throws(FileWriteError) {
      if isNewFolder {
        guard hidden.withCString({ mkdir($0, 0o777) }) == 0 else { throw FileWriteError(errno) }
      }
      let file = isNewFolder ? hidden.appending(target.path.name) : hidden
      let descriptor = try Self.opened(file, O_CREAT | O_EXCL | O_WRONLY)
      target.giveAttributes(to: descriptor)
      try Self.write(bytes, to: descriptor)
      if isNewFolder { try StagingFolder(hidden).sync() }
    } catch {
      discard()
      throw error
    }
  }

  deinit { discard() }

  /// The file, or its folder where that is created with it.
  private static func renamed(_ target: FileTarget, makesFolder: Bool) -> FilePath {
    let folder = target.path.parent
    return makesFolder && !folder.isEmpty && folder.kind == nil ? folder : target.path
  }

  /// Removes the drafts of a file that killed processes have left, unless something is being staged in its folder.
  package static func removeAbandoned(
    of path: FilePath, makesFolder: Bool = false
  ) throws(FileWriteError) {
    let target = try FileTarget(path)
    guard target.isReplaced else { return }
    let renamed = Self.renamed(target, makesFolder: makesFolder)
    try StagingFolder(renamed.parent).removeAbandoned(
      of: renamed.name)
  }

  /// Gives the content its name, and waits until the disk has it.
  package func publish() throws(FileWriteError) {
    guard let folder else { return }
    do {
      try draft.rename(to: renamed)
    } catch {
      throw FileWriteError(error.code)
    }
    self.folder = nil
    try folder.sync()
  }

  /// Gives the content its name unless that is taken.
  ///
  /// - Throws: `FileWriteError` with `isTaken` where it is.
  package func publishIfFree() throws(FileWriteError) {
    guard let folder else { throw FileWriteError(EEXIST) }
    // Unlike rename(2), link(2) never replaces a file. Some file systems have no hard links.
    do {
      try draft.link(to: renamed)
    } catch {
      guard [EPERM, ENOTSUP, EMLINK].contains(error.code), !renamed.isTaken else {
        throw FileWriteError(error.code)
      }
      return try publish()
    }
    StagingFolder.remove(draft)
    self.folder = nil
    try folder.sync()
  }

  /// Removes the draft, if it isn't published.
  package func discard() {
    guard folder != nil else { return }
    StagingFolder.remove(draft)
    folder = nil
  }

  private static func opened(_ path: FilePath, _ flags: Int32) throws(FileWriteError) -> Int32 {
    let file = path.descriptor(flags, mode: 0o666)
    guard file >= 0 else { throw FileWriteError(errno) }
    return file
  }

  /// Writes and closes.
  private static func write(_ bytes: [UInt8], to file: Int32) throws(FileWriteError) {
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw FileWriteError(errno) }
      rest = rest.dropFirst(count)
    }
    // A pipe or a terminal has nothing to sync.
    guard fsync(file) == 0 || [EINVAL, ENOTSUP, EROFS].contains(errno) else {
      throw FileWriteError(errno)
    }
  }
}

extension StagedFile {
  /// Whether there is a file whose content would be replaced. A pipe or a device has none.
  package static func replacesFile(at path: FilePath) -> Bool {
    path.kind == .file
  }

  /// Replaces the content of a file, or creates the file.
  package static func replace(_ path: FilePath, with bytes: [UInt8]) throws(FileWriteError) {
    try StagedFile(bytes, for: path).publish()
  }

  /// Creates a file, unless there is one.
  package static func add(_ bytes: [UInt8], at path: FilePath) throws(FileWriteError) {
    guard !path.isTaken else { throw FileWriteError(EEXIST) }
    try StagedFile(bytes, for: path).publishIfFree()
  }

  /// Creates the folder of a file with the folders around it, and waits until the disk has their names.
  package static func makeFolder(of path: FilePath) throws(FileWriteError) {
    let folder = path.parent
    guard !folder.isEmpty, folder.kind == nil else { return }
    try makeFolder(of: folder)
    guard folder.withCString({ mkdir($0, 0o777) }) == 0 || errno == EEXIST else {
      throw FileWriteError(errno)
    }
    try StagingFolder(folder.parent).sync()
  }
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
