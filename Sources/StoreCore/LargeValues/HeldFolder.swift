import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A folder that is held open: what is asked of it and done in it is of the same folder, whatever
/// somebody puts in its place meanwhile. No symbolic link is followed, neither to it nor in it.
package final class HeldFolder {
  /// What lies under a name.
  package enum Entry: Hashable {
    case missing
    /// - Parameter changed: when its content or its name last did, in seconds since 1970.
    case file(changed: Double)
    case link
    /// A folder, a device, a FIFO.
    case special
  }

  let path: FilePath
  private let descriptor: Int32

  /// - Parameter path: without a slash at its end, which would follow a link.
  convenience init(_ path: FilePath) throws(ExternalFileError) {
    try self.init(path, within: AT_FDCWD, path: path)
  }

  convenience init(_ name: String, in parent: HeldFolder) throws(ExternalFileError) {
    try self.init(FilePath(name), within: parent.descriptor, path: "\(parent.path)/\(name)")
  }

  private init(_ name: FilePath, within parent: Int32, path: FilePath) throws(ExternalFileError) {
    descriptor = name.withCString {
      openat(parent, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    self.path = path
    guard descriptor < 0 else { return }
    let code = errno
    switch Self.entry(name, in: parent) {
    case .missing: throw .missing
    case .link: throw .link(path: path)
    case .file, .special:
      throw code == ENOTDIR ? .special(path: path) : .unreadable(path: path, code: code)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  package func entry(_ name: String) -> Entry { Self.entry(FilePath(name), in: descriptor) }

  private static func entry(_ name: FilePath, in folder: Int32) -> Entry {
    var status = stat()
    guard name.withCString({ fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 else {
      return .missing
    }
    switch FilePath.Kind(status) {
    case .file: return .file(changed: status.lastChange)
    case .link: return .link
    case .folder, .pipe, .other: return .special
    }
  }

  /// The bytes of a regular file.
  func read(_ name: String) throws(ExternalFileError) -> [UInt8] {
    var all: [UInt8] = []
    try readPieces(of: name) { all += $0 }
    return all
  }

  /// Returns the size of a regular file in bytes.
  func size(of name: String) throws(ExternalFileError) -> Int64 {
    let file = try opened(name)
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else {
      throw .unreadable(path: "\(path)/\(name)", code: errno)
    }
    return Int64(status.st_size)
  }

  private func readPieces(
    of name: String, _ use: (UnsafeRawBufferPointer) throws(ExternalFileError) -> Void
  ) throws(ExternalFileError) {
    let file = try opened(name)
    defer { close(file) }
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
    defer { piece.deallocate() }
    while true {
      let count = systemRead(file, piece.baseAddress, piece.count)
      if count == 0 { return }
      if count > 0 {
        try use(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      } else if errno != EINTR {
        throw .unreadable(path: "\(path)/\(name)", code: errno)
      }
    }
  }

  static let pieceSize = 1 << 16

  func opened(_ name: String) throws(ExternalFileError) -> Int32 {
    let place: FilePath = "\(path)/\(name)"
    // Without O_NONBLOCK a FIFO would keep us until somebody writes into it.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      let code = errno
      switch entry(name) {
      case .missing: throw .missing
      case .link: throw .link(path: place)
      case .special: throw .special(path: place)
      case .file: throw .unreadable(path: place, code: code)
      }
    }
    var status = stat()
    guard fstat(file, &status) == 0, FilePath.Kind(status) == .file else {
      close(file)
      throw .special(path: place)
    }
    return file
  }

  /// Removes a regular file.
  func remove(_ name: String) -> ExternalFolder.Removal {
    switch entry(name) {
    case .missing: return .missing
    case .file:
      if unlinkat(descriptor, name, 0) == 0 { return .removed }
      return errno == ENOENT ? .missing : .left
    case .link, .special: return .left
    }
  }

  /// Gives another folder the same file: a second name for it, else a copy.
  func duplicate(_ name: String, to other: HeldFolder) throws(ExternalFileError) {
    guard linkat(descriptor, name, other.descriptor, name, 0) != 0 else { return }
    switch errno {
    case EXDEV, EPERM, ENOTSUP, EMLINK: try copy(name, to: other)
    case let code: throw .unreadable(path: "\(other.path)/\(name)", code: code)
    }
  }

  private func copy(_ name: String, to other: HeldFolder) throws(ExternalFileError) {
    let copy = try other.made(name)
    defer { close(copy) }
    var status = stat()
    if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
      _ = fchmod(copy, status.st_mode & 0o777)
    }
    try readPieces(of: name) { piece throws(ExternalFileError) in
      try other.write(piece, to: copy, name)
    }
  }

  /// Makes a file that is not there yet.
  func write(_ bytes: [UInt8], to name: String) throws(ExternalFileError) {
    let file = try made(name)
    defer { close(file) }
    var problem: ExternalFileError?
    bytes.withUnsafeBytes { all in
      do throws(ExternalFileError) {
        try write(all, to: file, name)
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
  }

  private func made(_ name: String) throws(ExternalFileError) -> Int32 {
    let file = openat(
      descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .unreadable(path: "\(path)/\(name)", code: errno) }
    return file
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, to file: Int32, _ name: String
  ) throws(ExternalFileError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = systemWrite(file, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if errno != EINTR {
        throw .unreadable(path: "\(path)/\(name)", code: errno)
      }
    }
  }
}

extension stat {
  /// A file that was moved here or linked keeps its time of modification, but not that of change.
  fileprivate var lastChange: Double {
    #if canImport(Darwin)
      let (modified, changed) = (st_mtimespec, st_ctimespec)
    #else
      let (modified, changed) = (st_mtim, st_ctim)
    #endif
    return Double(max(modified.tv_sec, changed.tv_sec))
  }
}

func systemRead(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(file, bytes, count)
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
