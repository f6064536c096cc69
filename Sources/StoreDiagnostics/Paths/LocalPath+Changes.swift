#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#else
  package import Darwin
#endif

extension LocalPath {
  package func makeFolder(mode: mode_t = 0o755) throws(SystemError) {
    guard withCString({ mkdir($0, mode) }) == 0 else { throw .last }
  }

  /// Creates the folder and its parents if they don't exist.
  package func makeFolders() throws(SystemError) {
    let path = trimmed
    guard !path.isEmpty, path.kind != .folder else { return }
    try path.folder.makeFolders()
    do {
      try path.makeFolder(mode: 0o777)
    } catch {
      // Another process may have created the folder.
      guard error.code == EEXIST else { throw error }
      guard path.kind == .folder else { throw SystemError(code: ENOTDIR) }
    }
  }

  /// The path without trailing slashes. Empty for the root.
  private var trimmed: LocalPath {
    LocalPath(bytes: bytes.reversed().drop { $0 == UInt8(ascii: "/") }.reversed())
  }

  /// Removes a file or a link, but not the link's destination.
  package func removeFile() throws(SystemError) {
    guard withCString({ unlink($0) }) == 0 else { throw .last }
  }

  package func removeEmptyFolder() throws(SystemError) {
    guard withCString({ rmdir($0) }) == 0 else { throw .last }
  }

  /// Removes a file, or a folder with its content. Links are removed, but not their destinations.
  package func removeAll() throws(SystemError) {
    guard let status = status(followsLinks: false) else { throw .last }
    guard status.kind == .folder else { return try removeFile() }
    for name in try names() { try appending(name).removeAll() }
    try removeEmptyFolder()
  }

  /// Renames the file. An existing file with the new name is replaced.
  package func rename(to other: LocalPath) throws(SystemError) {
    let code = withCString { old in other.withCString { systemRename(old, $0) } }
    guard code == 0 else { throw .last }
  }

  /// Creates a hard link to this file at `other`. Throws an error if a file with that path exists.
  package func link(to other: LocalPath) throws(SystemError) {
    let code = withCString { old in other.withCString { systemLink(old, $0) } }
    guard code == 0 else { throw .last }
  }

  /// Writes a new file. An existing file is never overwritten.
  package func writeNew(_ bytes: [UInt8]) throws(SystemError) {
    try OpenFile(self, O_CREAT | O_EXCL | O_WRONLY, mode: 0o666).write(bytes)
  }

  /// Writes the bytes to a new file, and renames it atomically to this path. An existing file is replaced.
  package func replace(with bytes: [UInt8]) throws(SystemError) {
    var generator = SystemRandomNumberGenerator()
    let number = String(generator.next() as UInt64, radix: 16)
    let draft: LocalPath = "\(folder).storetool-\(number).new"
    do {
      try draft.writeNew(bytes)
      try draft.rename(to: self)
    } catch {
      _ = draft.withCString { unlink($0) }
      throw error
    }
  }
}

private func systemRename(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> CInt {
  rename(old, new)
}

private func systemLink(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> CInt {
  link(old, new)
}
