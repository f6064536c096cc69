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

/// Another program, run to its end. No shell reads the words; Foundation's `Process` would cost each
/// command the start of all of Foundation.
enum Subprocess {
  struct Result {
    /// 128 and the signal's number where one ended the program.
    var status: Int32
    var output: [UInt8]
    var errors: String

    /// The output as text that keeps the bytes of paths (`ArgumentText`).
    var text: String { FilePath(bytes: output).argument }
  }

  /// - Parameters:
  ///   - words: the program, looked for on `PATH`, and its arguments.
  ///   - input: what it reads; nil for nothing.
  /// - Throws: `SubprocessError`
  static func run(_ words: [String], input: String? = nil) throws(SubprocessError) -> Result {
    let source = try input.map { text throws(SubprocessError) in try file(holding: text) }
    defer { _ = source.map(close) }
    let pipes = try ProcessPipe.several(2)
    let program: pid_t
    do {
      program = try spawn(
        words, input: source == nil ? O_RDONLY : nil,
        [(pipes[0].writing, STDOUT_FILENO), (pipes[1].writing, STDERR_FILENO)]
          + (source.map { [($0, STDIN_FILENO)] } ?? []))
    } catch {
      for pipe in pipes { pipe.closeBoth() }
      throw error
    }
    for pipe in pipes { close(pipe.writing) }
    let bytes = readAll(pipes.map(\.reading))
    return Result(
      status: ProcessEnd(of: program).status, output: bytes[0],
      errors: String(decoding: bytes[1], as: UTF8.self))
  }

  /// Opens a file without a name: unlike a pipe it takes all at once, however slowly it is read.
  static func file(holding text: String) throws(SubprocessError) -> Int32 {
    let folder = FilePath(variable: "TMPDIR") ?? "/tmp"
    let path = folder.appending("storetool-XXXXXX").withCString { strdup($0) }
    defer { free(path) }
    guard let path, case let descriptor = mkstemp(path), descriptor >= 0 else {
      throw .failed("a temporary file", reason: String(cString: strerror(errno)))
    }
    unlink(path)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let reason = String(cString: strerror(errno))
        close(descriptor)
        throw .failed("a temporary file", reason: reason)
      }
      rest = rest.dropFirst(count)
    }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  /// Starts a program without waiting for it.
  ///
  /// - Parameters:
  ///   - words: the program, looked for on `PATH` unless it is a path, and its arguments.
  ///   - input: how `/dev/null` is opened as its standard input; nil where one of the descriptors is that.
  ///   - descriptors: open ones of ours, and their numbers in the program.
  ///   - leadsGroup: whether a signal to the negative of its number reaches what it has started, too.
  /// - Throws: `SubprocessError`
  static func spawn(
    _ words: [String], input: Int32?, _ descriptors: [(ours: Int32, its: Int32)],
    leadsGroup: Bool = false
  ) throws(SubprocessError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if leadsGroup { posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP)) }
    if let input {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", input, 0)
    }
    for (ours, its) in descriptors { posix_spawn_file_actions_adddup2(&actions, ours, its) }
    // A path among the words has bytes that its text only stands for.
    var arguments = words.map { ArgumentText.path($0).withCString { strdup($0) } } + [nil]
    // `ProcessInfo` replaces bytes of a value that aren't UTF-8.
    var environment: [UnsafeMutablePointer<CChar>?] =
      ProcessInfo.processInfo.environment.keys.map { name in
        let value = FilePath(variable: name)?.bytes ?? []
        return FilePath(bytes: Array("\(name)=".utf8) + value).withCString { strdup($0) }
      } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var program: pid_t = 0
    let failure = posix_spawnp(&program, words[0], &actions, &attributes, &arguments, &environment)
    guard failure == 0 else {
      if failure == ENOENT { throw .notFound(words[0]) }
      throw .failed(words[0], reason: String(cString: strerror(failure)))
    }
    return program
  }

  /// Reads from several at once, so that none fills up while another is waited for.
  private static func readAll(_ descriptors: [Int32]) -> [[UInt8]] {
    var contents = descriptors.map { _ in [UInt8]() }
    var ends = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while ends.contains(where: { $0.fd >= 0 }) {
      guard poll(&ends, nfds_t(ends.count), -1) >= 0 || errno == EINTR else { break }
      for index in ends.indices where ends[index].fd >= 0 && ends[index].revents != 0 {
        let count = read(ends[index].fd, &buffer, buffer.count)
        if count > 0 {
          contents[index] += buffer.prefix(count)
        } else if count == 0 || errno != EINTR {
          close(ends[index].fd)
          ends[index].fd = -1
        }
      }
    }
    return contents
  }
}

/// Why another program could not be run.
enum SubprocessError: Error, Hashable {
  case notFound(String)
  case failed(String, reason: String)
}
