import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A folder that is kept open, so that all operations apply to the same folder, even if its path later refers to
/// another folder. If the folder or an entry in it is a symbolic link, it isn't followed.
package struct HeldFolder {
  /// The type of an entry in the folder.
  package enum Entry: Hashable {
    case missing
    /// - Parameter changed: the time of the last change of the file's content, name or attributes, in seconds since
    ///   1970.
    case file(changed: Double)
    case link
    /// Any other type, such as a folder or a FIFO.
    case special
  }

  let path: LocalPath
  private let folder: OpenFile

  /// - Parameter path: the path. It must not end with a slash, because the system then follows a symbolic link.
  init(_ path: LocalPath) throws(ExternalFileError) {
    try self.init(path, within: nil, path: path)
  }

  init(_ name: String, in parent: HeldFolder) throws(ExternalFileError) {
    try self.init(LocalPath(name), within: parent.folder, path: "\(parent.path)/\(name)")
  }

  private init(
    _ name: LocalPath, within parent: OpenFile?, path: LocalPath
  ) throws(ExternalFileError) {
    self.path = path
    do throws(SystemError) {
      folder = try OpenFile(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, in: parent)
    } catch {
      switch Self.entry(name, in: parent) {
      case .missing: throw .missing
      case .link: throw .link(path: path)
      case .file, .special:
        throw error.code == ENOTDIR ? .special(path: path) : .unreadable(path: path, error)
      }
    }
  }

  package func entry(_ name: String) -> Entry { Self.entry(LocalPath(name), in: folder) }

  private static func entry(_ name: LocalPath, in folder: OpenFile?) -> Entry {
    guard let status = FileStatus(of: name, followsLinks: false, in: folder) else {
      return .missing
    }
    switch status.kind {
    // The later time is used, because moving or linking a file changes only `status.changed`.
    case .file: return .file(changed: Double(max(status.modified.seconds, status.changed.seconds)))
    case .link: return .link
    case .folder, .pipe, .other: return .special
    }
  }

  /// Returns the bytes of a regular file.
  func read(_ name: String) throws(ExternalFileError) -> [UInt8] {
    let file = try opened(name)
    var all: [UInt8] = []
    while case let piece = try file.read(), !piece.isEmpty { all += piece }
    return all
  }

  /// Opens a regular file for reading.
  func opened(_ name: String) throws(ExternalFileError) -> ValueFile {
    let place: LocalPath = "\(path)/\(name)"
    let file: OpenFile
    do throws(SystemError) {
      file = try OpenFile(LocalPath(name), O_RDONLY | O_NOFOLLOW, in: folder)
    } catch {
      switch entry(name) {
      case .missing: throw .missing
      case .link: throw .link(path: place)
      case .special: throw .special(path: place)
      case .file: throw .unreadable(path: place, error)
      }
    }
    guard FileStatus(of: file)?.kind == .file else { throw .special(path: place) }
    return ValueFile(file: file, path: place)
  }

  /// Removes a regular file.
  func remove(_ name: String) -> ExternalFolder.Removal {
    switch entry(name) {
    case .missing: return .missing
    case .file:
      if unlinkat(folder.descriptor, name, 0) == 0 { return .removed }
      return SystemError.last.code == ENOENT ? .missing : .left
    case .link, .special: return .left
    }
  }

  /// Creates the same file in another folder, as a hard link, or as a copy if the file can't be linked.
  func duplicate(_ name: String, to other: HeldFolder) throws(ExternalFileError) {
    guard linkat(folder.descriptor, name, other.folder.descriptor, name, 0) != 0 else { return }
    let error = SystemError.last
    if error.code == ENOENT, entry(name) == .missing { throw .missing }
    guard [EXDEV, EPERM, ENOTSUP, EMLINK].contains(error.code) else {
      throw .unreadable(path: "\(other.path)/\(name)", error)
    }
    try copy(name, to: other)
  }

  private func copy(_ name: String, to other: HeldFolder) throws(ExternalFileError) {
    let (value, copy) = (try opened(name), try other.made(name))
    if let status = FileStatus(of: value.file) {
      _ = fchmod(copy.file.descriptor, status.mode & 0o777)
    }
    while case let piece = try value.read(), !piece.isEmpty { try copy.write(piece) }
  }

  /// Writes bytes to a new file. Throws if the file exists.
  func write(_ bytes: [UInt8], to name: String) throws(ExternalFileError) {
    try made(name).write(bytes)
  }

  private func made(_ name: String) throws(ExternalFileError) -> ValueFile {
    let place: LocalPath = "\(path)/\(name)"
    do throws(SystemError) {
      let file = try OpenFile(
        LocalPath(name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, in: folder)
      return ValueFile(file: file, path: place)
    } catch {
      throw .unreadable(path: place, error)
    }
  }
}

/// An open file with a value.
struct ValueFile {
  fileprivate let file: OpenFile
  fileprivate let path: LocalPath

  func size() throws(ExternalFileError) -> Int64 {
    guard let status = FileStatus(of: file) else { throw .unreadable(path: path, .last) }
    return status.size
  }

  /// - Returns: at least one byte, or an empty array at the end.
  func read(upTo limit: Int = 1 << 16) throws(ExternalFileError) -> [UInt8] {
    do throws(SystemError) {
      return try file.read(upTo: limit)
    } catch {
      throw .unreadable(path: path, error)
    }
  }

  fileprivate func write(_ bytes: [UInt8]) throws(ExternalFileError) {
    do throws(SystemError) {
      try file.write(bytes)
    } catch {
      throw .unreadable(path: path, error)
    }
  }

  /// Returns whether two files have the same bytes. They are read in pieces.
  func hasSameContent(as other: ValueFile) throws(ExternalFileError) -> Bool {
    if let status = FileStatus(of: file), status.identity == FileStatus(of: other.file)?.identity {
      return true
    }
    guard try size() == other.size() else { return false }
    while true {
      var piece = try read()[...]
      if piece.isEmpty { return true }
      while !piece.isEmpty {
        let bytes = try other.read(upTo: piece.count)
        guard !bytes.isEmpty, piece.starts(with: bytes) else { return false }
        piece = piece.dropFirst(bytes.count)
      }
    }
  }
}
