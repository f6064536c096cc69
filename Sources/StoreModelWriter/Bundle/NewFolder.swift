import StoreDiagnostics

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

/// A folder that is filled under a name of its own and then takes the place of nothing.
struct NewFolder {
  private let target: FilePath
  private let path: FilePath

  init(target: FilePath) throws(NewModelBundleError) {
    self.target = target
    try Self.requireFree(target)
    // Someone who finds the folder after a crash sees what it was to become; who looks for models
    // does not look into it.
    path = "\(target.folder).\(target.name).\(UUID().uuidString).new"
    do {
      try path.makeFolder()
    } catch {
      throw error.isMissing ? .folderMissing(target) : failure(error)
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
    var folders = [path]
    for name in names.dropLast() {
      let folder: FilePath = "\(folders[folders.count - 1])/\(name)"
      folders.append(folder)
      do {
        try folder.makeFolder()
      } catch {
        guard error.code == EEXIST else { throw failure(error) }
      }
    }
    try write(bytes, to: "\(path)/\(names.joined(separator: "/"))")
    for folder in folders.reversed() { try sync(folder) }
  }

  private func write(_ bytes: [UInt8], to path: FilePath) throws(NewModelBundleError) {
    let file = path.descriptor(O_CREAT | O_EXCL | O_WRONLY)
    guard file >= 0 else { throw failure(.last) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Self.write(file, $0) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure(.last) }
      rest = rest.dropFirst(count)
    }
    guard fsync(file) == 0 else { throw failure(.last) }
  }

  private static func write(_ file: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(file, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(file, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(file, bytes.baseAddress, bytes.count)
    #endif
  }

  /// Waits until the disk has the names in a folder, where its file system knows of such a thing.
  private func sync(_ folder: FilePath) throws(NewModelBundleError) {
    let descriptor = folder.orHere.descriptor(O_RDONLY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP].contains(errno) else {
      throw failure(.last)
    }
  }

  /// Gives the folder its name, if that is free.
  func publish() throws(NewModelBundleError) {
    try Self.requireFree(target)
    // Of what comes there in the meantime, rename(2) replaces an empty folder and nothing else.
    do {
      try path.rename(to: target)
    } catch {
      throw [EEXIST, ENOTEMPTY, ENOTDIR].contains(error.code) ? .exists(target) : failure(error)
    }
    do {
      try sync(target.folder)
    } catch {
      do {
        // Back to where it is discarded.
        try target.rename(to: path)
      } catch {
        // The error above is the one to report.
      }
      throw error
    }
  }

  /// Removes what was written so far; whoever calls has the error to tell.
  func discard() {
    do {
      try path.removeAll()
    } catch {
      // The name says what it is.
    }
  }

  private func failure(_ error: SystemError) -> NewModelBundleError {
    .unwritable(target, reason: error.reason)
  }
}
