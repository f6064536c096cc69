#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A command that runs in a process of its own, so that nothing of a store can harm the server: not a damaged page, not
/// a request that lasts, not the memory that it takes. Whoever waits no longer ends it.
final class RunningCommand {
  enum Event {
    case output([UInt8])
    case errors([UInt8])
    /// Nothing has come for a while.
    case silence
  }

  private let process: pid_t
  private var ends: [pollfd]
  /// Closed when this process ends, however it does; the command then ends, too.
  private let lifeline: Int32
  private let started = ContinuousClock.now
  /// Nil until it was waited for.
  private var end: ProcessEnd?

  private static let silence: Int32 = 250

  /// - Throws: `SubprocessError`
  init(_ words: [String]) throws(SubprocessError) {
    // Not in its command line: everyone can read that, and a long text finds no room there.
    let list = try Subprocess.file(holding: words.joined(separator: "\0"))
    defer { close(list) }
    let pipes = try ProcessPipe.several(3)
    do {
      process = try Self.start(list: list, pipes)
    } catch {
      for pipe in pipes { pipe.closeBoth() }
      throw error
    }
    for end in [pipes[0].writing, pipes[1].writing, pipes[2].reading] { close(end) }
    lifeline = pipes[2].writing
    ends = pipes.prefix(2).map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
  }

  private static func start(list: Int32, _ pipes: [ProcessPipe]) throws(SubprocessError) -> pid_t {
    // What is handed over has a higher number here than there.
    let words = fcntl(list, F_DUPFD_CLOEXEC, ProcessPipe.lowest)
    guard words >= 0 else {
      throw .failed("a command", reason: String(cString: strerror(errno)))
    }
    defer { close(words) }
    return try Subprocess.spawn(
      // What it has to say beside the rows is written as this says.
      [try OwnProgram.path(), PageRunCommand.name, "--format=ndjson"], input: O_RDONLY,
      [
        (pipes[0].writing, STDOUT_FILENO), (pipes[1].writing, STDERR_FILENO),
        (pipes[2].reading, PageRunCommand.lifeline), (words, PageRunCommand.words),
      ], leadsGroup: true)
  }

  deinit {
    for end in ends where end.fd >= 0 { close(end.fd) }
    close(lifeline)
  }

  var milliseconds: Int { Int((ContinuousClock.now - started) / .milliseconds(1)) }

  /// What the command has to say next; nil once it has closed its output.
  func next() -> Event? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while ends.contains(where: { $0.fd >= 0 }) {
      let count = poll(&ends, nfds_t(ends.count), Self.silence)
      if count == 0 { return .silence }
      if count < 0 {
        if errno == EINTR { continue }
        return nil
      }
      for index in ends.indices where ends[index].fd >= 0 && ends[index].revents != 0 {
        let count = read(ends[index].fd, &buffer, buffer.count)
        if count > 0 {
          let bytes = Array(buffer.prefix(count))
          return index == 0 ? .output(bytes) : .errors(bytes)
        }
        if count == 0 || errno != EINTR {
          close(ends[index].fd)
          ends[index].fd = -1
        }
      }
    }
    return nil
  }

  /// Ends it at once. What it was writing is rolled back by who opens the store next.
  func kill() { signal(SIGKILL) }

  /// Lets it end by itself: it rolls back what it was writing.
  func cancel() { signal(SIGTERM) }

  private func signal(_ number: Int32) {
    // Once it was waited for, its number may be another's.
    if end == nil { _ = systemKill(-process, number) }
  }

  @discardableResult
  func wait() -> ProcessEnd {
    let end = end ?? ProcessEnd(of: process)
    self.end = end
    return end
  }
}

private func systemKill(_ process: pid_t, _ signal: Int32) -> Int32 { kill(process, signal) }
