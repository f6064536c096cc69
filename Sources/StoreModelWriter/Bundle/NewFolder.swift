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
  private let target: String
  private let path: String

  init(target: String) throws(NewModelBundleError) {
    self.target = target
    try Self.requireFree(target)
    // Someone who finds the folder after a crash sees what it was to become; who looks for models
    // does not look into it.
    let name = target.lastIndex(of: "/").map { target[target.index(after: $0)...] } ?? target[...]
    path = "\(target.dropLast(name.count)).\(name).\(UUID().uuidString).new"
    guard mkdir(path, 0o755) == 0 else {
      throw errno == ENOENT || errno == ENOTDIR ? .folderMissing(target) : failure(errno)
    }
  }

  private static func requireFree(_ target: String) throws(NewModelBundleError) {
    var status = stat()
    // A link that leads nowhere is in the way, too.
    guard lstat(target, &status) != 0 else { throw .exists(target) }
  }

  /// Writes a file, and makes the folders that it is in.
  ///
  /// - Parameter names: checked as names of files, the file's own last.
  func add(_ bytes: [UInt8], at names: [String]) throws(NewModelBundleError) {
    var folders = [path]
    for name in names.dropLast() {
      folders.append("\(folders[folders.count - 1])/\(name)")
      guard mkdir(folders[folders.count - 1], 0o755) == 0 || errno == EEXIST else {
        throw failure(errno)
      }
    }
    try write(bytes, to: ([path] + names).joined(separator: "/"))
    for folder in folders.reversed() { try sync(folder) }
  }

  private func write(_ bytes: [UInt8], to path: String) throws(NewModelBundleError) {
    let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw failure(errno) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Self.write(file, $0) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure(errno) }
      rest = rest.dropFirst(count)
    }
    guard fsync(file) == 0 else { throw failure(errno) }
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
  private func sync(_ folder: String) throws(NewModelBundleError) {
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP].contains(errno) else {
      throw failure(errno)
    }
  }

  /// Gives the folder its name, if that is free.
  func publish() throws(NewModelBundleError) {
    try Self.requireFree(target)
    // Of what comes there in the meantime, rename(2) replaces an empty folder and nothing else.
    guard Self.rename(path, target) == 0 else {
      throw [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno) ? .exists(target) : failure(errno)
    }
    do {
      try sync(target.lastIndex(of: "/").map { String(target[...$0]) } ?? "")
    } catch {
      // Back to where it is discarded.
      _ = Self.rename(target, path)
      throw error
    }
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

  /// Removes what was written so far; whoever calls has the error to tell.
  func discard() {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // The name says what it is.
    }
  }

  private func failure(_ code: CInt) -> NewModelBundleError {
    let reason =
      switch code {
      case EACCES, EPERM: "permission denied"
      case ENOSPC, EDQUOT: "the disk is full"
      case EROFS: "the disk is read-only"
      default: String(cString: strerror(code))
      }
    return .unwritable(target, reason: reason)
  }
}
