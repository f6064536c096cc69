#if canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#else
  package import Darwin
#endif

extension FilePath {
  /// Opens the file. After a negative number, `errno` has the reason.
  ///
  /// - Parameter flags: of `open(2)`; the descriptor is closed in child processes.
  package func descriptor(_ flags: CInt, mode: mode_t = 0o644) -> CInt {
    withCString { systemOpen($0, flags | O_CLOEXEC, mode) }
  }

  /// The names in the folder, with their bytes and in their order.
  package func names() throws(SystemError) -> [FilePath] {
    guard let folder = orHere.withCString({ opendir($0) }) else { throw .last }
    defer { closedir(folder) }
    var names: [FilePath] = []
    while true {
      errno = 0
      guard let entry = readdir(folder) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
          FilePath(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw .last }
    return names.sorted()
  }

  /// The bytes of the file.
  ///
  /// - Parameter limit: at most so many of them, from its start.
  package func contents(limit: Int = .max) throws(SystemError) -> [UInt8] {
    let file = descriptor(O_RDONLY)
    guard file >= 0 else { throw .last }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .last }
    if Kind(status) == .folder { throw SystemError(code: EISDIR) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(limit, Int(status.st_size)))
    let piece = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(limit, 1 << 16), alignment: 16)
    defer { piece.deallocate() }
    while bytes.count < limit {
      let count = read(file, piece.baseAddress, min(piece.count, limit - bytes.count))
      if count == 0 { break }
      if count > 0 {
        bytes += piece[..<count]
      } else if errno != EINTR {
        throw .last
      }
    }
    return bytes
  }
}

private func systemOpen(_ path: UnsafePointer<CChar>, _ flags: CInt, _ mode: mode_t) -> CInt {
  open(path, flags, mode)
}
