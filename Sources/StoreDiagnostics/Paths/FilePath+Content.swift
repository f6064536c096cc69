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
  /// A FIFO that no program writes to is opened without waiting: `read(2)` then returns 0, and `EAGAIN` while a
  /// writer has written nothing.
  ///
  /// - Parameter flags: of `open(2)`; the descriptor is closed in child processes.
  package func descriptor(_ flags: CInt, mode: mode_t = 0o644) -> CInt {
    let waits: CInt = flags & O_ACCMODE == O_RDONLY ? O_NONBLOCK : 0
    return withCString { systemOpen($0, flags | waits | O_CLOEXEC, mode) }
  }

  /// The names in the folder, with their bytes and in their order.
  package func names() throws(SystemError) -> [FilePath] {
    var names: [FilePath] = []
    try list { name in
      names.append(FilePath(cString: name))
      return true
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// Whether the folder lists a name in this very spelling.
  package func lists(_ name: FilePath) throws(SystemError) -> Bool {
    try name.withCString { wanted throws(SystemError) in
      var isFound = false
      try list { name in
        isFound = strcmp(name, wanted) == 0
        return !isFound
      }
      return isFound
    }
  }

  /// Reads the names in the folder, with `.` and `..`.
  ///
  /// - Parameter body: returns false to stop.
  private func list(_ body: (UnsafePointer<CChar>) -> Bool) throws(SystemError) {
    guard let folder = orHere.withCString({ opendir($0) }) else { throw .last }
    defer { closedir(folder) }
    while true {
      errno = 0
      guard let entry = readdir(folder) else { break }
      let goesOn = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
          body($0)
        }
      }
      guard goesOn else { return }
    }
    guard errno == 0 else { throw .last }
  }

  /// The bytes of the file, or of a pipe until its writer closes it.
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
      if count == 0 {
        guard !bytes.isEmpty || !Self.isUnwrittenPipe(file, status) else {
          throw SystemError(code: EPIPE)
        }
        break
      }
      if count > 0 {
        bytes += piece[..<count]
      } else if errno == EAGAIN {
        try Self.waitForBytes(file)
      } else if errno != EINTR {
        throw .last
      }
    }
    return bytes
  }

  /// Whether the file is a FIFO that no program has opened for writing. The end of a written pipe is reported as a
  /// hang-up.
  private static func isUnwrittenPipe(_ file: CInt, _ status: stat) -> Bool {
    guard Kind(status) == .pipe else { return false }
    var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) == 0
  }

  /// Waits until a pipe has bytes, or its writer closes it.
  private static func waitForBytes(_ file: CInt) throws(SystemError) {
    var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    while poll(&request, 1, 100) == 0 {
      if Cancellation.ofProcess.isRequested { throw SystemError(code: ECANCELED) }
    }
  }
}

private func systemOpen(_ path: UnsafePointer<CChar>, _ flags: CInt, _ mode: mode_t) -> CInt {
  open(path, flags, mode)
}
