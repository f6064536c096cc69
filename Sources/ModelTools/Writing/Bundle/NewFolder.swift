import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A folder that is filled under a name of its own and then takes the place of nothing.
struct NewFolder {
  private let target: FilePath
  private let folder: StagingFolder
  private let draft: Draft

  init(target: FilePath) throws(NewModelBundleError) {
    self.target = target
    try Self.requireFree(target)
    do {
      folder = try StagingFolder(target.parent)
      draft = try folder.makeFolder(for: target.name)
    } catch {
      throw error.isMissing
        ? .folderMissing(target) : .unwritable(target, reason: error.reason)
    }
  }

  private static func requireFree(_ target: FilePath) throws(NewModelBundleError) {
    // A link that leads nowhere is in the way, too.
    guard target.status(followsLinks: false) == nil else { throw .exists(target) }
  }

  /// Writes a file, and makes the folders that it is in.
  ///
  /// - Parameter names: checked as names of files, the file's own last.
  func add(_ bytes: [UInt8], at names: [String]) throws(NewModelBundleError) {
    var folders = [draft.path]
    for name in names.dropLast() {
      let folder: FilePath = "\(folders[folders.count - 1])/\(name)"
      folders.append(folder)
      do {
        try folder.makeFolder()
      } catch {
        guard error.code == EEXIST else { throw failure(error) }
      }
    }
    try write(bytes, to: "\(draft.path)/\(names.joined(separator: "/"))")
    do {
      for folder in folders.reversed() { try StagingFolder(folder).sync() }
    } catch {
      throw failure(error)
    }
  }

  private func write(_ bytes: [UInt8], to path: FilePath) throws(NewModelBundleError) {
    let file = path.descriptor(O_CREAT | O_EXCL | O_WRONLY)
    guard file >= 0 else { throw failure(.last) }
    defer { close(file) }
    do {
      try bytes.write(to: file)
      try DiskSync.wait(for: file)
    } catch {
      throw failure(error)
    }
  }

  /// Gives the folder its name, if that is free.
  func publish() throws(NewModelBundleError) {
    try Self.requireFree(target)
    // Of what comes there in the meantime, rename(2) replaces an empty folder and nothing else.
    do {
      try draft.path.rename(to: target)
    } catch {
      throw [EEXIST, ENOTEMPTY, ENOTDIR].contains(error.code) ? .exists(target) : failure(error)
    }
    do {
      try folder.sync()
    } catch {
      do {
        // Back to where it is discarded.
        try target.rename(to: draft.path)
      } catch {
        // The error above is the one to report.
      }
      throw failure(error)
    }
  }

  /// Removes what was written so far; whoever calls has the error to tell.
  func discard() { draft.remove() }

  private func failure(_ error: SystemError) -> NewModelBundleError {
    .unwritable(target, reason: error.reason)
  }
}
