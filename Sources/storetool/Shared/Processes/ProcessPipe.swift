#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A pipe between this process and another, which gets the one end of it that it is given.
struct ProcessPipe {
  let reading: Int32
  let writing: Int32

  /// What is handed to a process has higher numbers here than there, so that none is overwritten while it gets its own.
  static let lowest: Int32 = 16

  /// - Throws: `SubprocessError`
  init() throws(SubprocessError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw .failed("a pipe", reason: String(cString: strerror(errno)))
    }
    let raised = ends.map { fcntl($0, F_DUPFD_CLOEXEC, Self.lowest) }
    let reason = String(cString: strerror(errno))
    for end in ends { close(end) }
    guard raised.allSatisfy({ $0 >= 0 }) else {
      for end in raised where end >= 0 { close(end) }
      throw .failed("a pipe", reason: reason)
    }
    (reading, writing) = (raised[0], raised[1])
  }

  /// - Throws: `SubprocessError`; none of them is open then.
  static func several(_ count: Int) throws(SubprocessError) -> [ProcessPipe] {
    var pipes: [ProcessPipe] = []
    do {
      for _ in 0..<count { pipes.append(try ProcessPipe()) }
    } catch {
      for pipe in pipes { pipe.closeBoth() }
      throw error
    }
    return pipes
  }

  func closeBoth() {
    close(reading)
    close(writing)
  }
}
