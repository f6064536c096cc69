#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension LocalPath {
  /// Returns the names in the folder, sorted by their bytes.
  package func names() throws(SystemError) -> [LocalPath] {
    var names: [LocalPath] = []
    try list { name in
      names.append(LocalPath(cString: name))
      return true
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// Returns whether the folder lists a name with exactly these bytes.
  package func lists(_ name: LocalPath) throws(SystemError) -> Bool {
    try name.withCString { wanted throws(SystemError) in
      var isFound = false
      try list { name in
        isFound = strcmp(name, wanted) == 0
        return !isFound
      }
      return isFound
    }
  }

  /// Calls `body` for each name in the folder, including `.` and `..`, until it returns false.
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

  /// Returns the bytes of the file, or of a pipe until its writer closes it.
  ///
  /// - Parameter limit: the maximum number of bytes. Further bytes aren't read.
  /// - Throws: the error of a system call; `EISDIR` for a folder; `EPIPE` for a pipe that no program has opened for
  ///   writing; `ECANCELED` if cancellation is requested while it waits for a pipe.
  package func contents(limit: Int = .max) throws(SystemError) -> [UInt8] {
    let file = try OpenFile(self, O_RDONLY)
    guard let status = FileStatus(of: file) else { throw .last }
    if status.kind == .folder { throw SystemError(code: EISDIR) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(limit, Int(status.size)))
    while bytes.count < limit {
      do {
        let piece = try file.read(upTo: min(1 << 16, limit - bytes.count))
        if piece.isEmpty { break }
        bytes += piece
      } catch {
        guard error.code == EAGAIN else { throw error }
        do { try file.waitForBytes(.ofProcess) } catch { throw SystemError(code: ECANCELED) }
      }
    }
    // `poll` reports the end of a pipe only if a program has opened it for writing.
    let isPipe = bytes.isEmpty && status.kind == .pipe
    if isPipe, !OpenFile.waitForBytes(in: [file], milliseconds: 0) {
      throw SystemError(code: EPIPE)
    }
    return bytes
  }
}
