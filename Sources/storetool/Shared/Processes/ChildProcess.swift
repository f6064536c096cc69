import StoreDiagnostics

#if canImport(Glibc)
  import CLinux
  import Glibc
#elseif canImport(Musl)
  import CLinux
  import Musl
#else
  import Darwin
  import Foundation
#endif

/// A process that this process has started. It runs another program, or one of the commands of this program.
///
/// No other type starts processes. No shell reads the words, and the child inherits only the descriptors that this type
/// passes to it. With musl, which can't close the others, it also inherits those that aren't close-on-exec.
/// docs/architecture.md has the reason why this is not swift-subprocess.
final class ChildProcess {
  /// Where this process reads bytes of the child.
  enum Stream: Int, CaseIterable {
    case output, errors
    /// The channel of one of our commands: see `ParentChannel`.
    case channel
  }

  enum Event {
    case bytes([UInt8], Stream)
    /// The child has written nothing for the requested time.
    case silence
  }

  private let process: pid_t
  private let leadsGroup: Bool
  /// Negative after the stream was closed. All of them return `EAGAIN` instead of waiting.
  private var descriptors: [Int32]
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)
  private var ending: ProcessEnding?

  /// Starts another program.
  ///
  /// - Parameter words: the program and its arguments. A program without a slash is searched on `PATH`.
  convenience init(program words: [String]) throws(ChildProcessError) {
    try self.init(words, input: O_RDONLY, hasChannel: false, passing: [], leadsGroup: false)
  }

  /// Starts one of the commands of this program, with a channel to it.
  ///
  /// Its standard input is only open for writing, so that reading from it is an error.
  ///
  /// - Parameters:
  ///   - words: the command and its arguments.
  ///   - passed: descriptors of this process, each at least `lowestDescriptor`. The child has them from
  ///     `ParentChannel.firstPassed` on.
  ///   - leadsGroup: whether a signal to the child also reaches the processes that it has started.
  convenience init(
    command words: [String], passing passed: [Int32] = [], leadsGroup: Bool = false
  ) throws(ChildProcessError) {
    try self.init(
      [try Self.ownPath()] + words, input: O_WRONLY, hasChannel: true, passing: passed,
      leadsGroup: leadsGroup)
  }

  private init(
    _ words: [String], input: Int32, hasChannel: Bool, passing passed: [Int32], leadsGroup: Bool
  ) throws(ChildProcessError) {
    var pairs: [DescriptorPair] = []
    defer { for pair in pairs { systemClose(pair.theirs) } }
    do {
      pairs = [try .pipe()]
      pairs.append(try .pipe())
      if hasChannel { pairs.append(try .channel()) }
      process = try Self.spawn(
        words, input: input, pairs.map(\.theirs) + passed, leadsGroup: leadsGroup)
    } catch {
      for pair in pairs { systemClose(pair.ours) }
      throw error
    }
    descriptors = pairs.map(\.ours)
    self.leadsGroup = leadsGroup
  }

  deinit { close() }

  /// The file of this program.
  private static func ownPath() throws(ChildProcessError) -> String {
    #if os(Linux)
      return "/proc/self/exe"
    #else
      guard let path = Bundle.main.executablePath else {
        throw .notStarted("storetool", reason: "the path of this program is unknown")
      }
      return path
    #endif
  }

  /// - Parameters:
  ///   - input: flags of `open(2)` for `/dev/null`, the standard input.
  ///   - passed: the descriptors that the child has as 1, 2 and so on.
  private static func spawn(
    _ words: [String], input: Int32, _ passed: [Int32], leadsGroup: Bool
  ) throws(ChildProcessError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      var flags = POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      var flags: CInt = 0
    #endif
    if leadsGroup { flags |= CInt(POSIX_SPAWN_SETPGROUP) }
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", input, 0)
    for (descriptor, number) in zip(passed, STDOUT_FILENO...) {
      posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }
    #if canImport(Glibc)
      posix_spawn_file_actions_addclosefrom_np(&actions, CInt(passed.count) + STDOUT_FILENO)
    #endif
    // Words can stand for bytes that aren't UTF-8.
    var arguments = words.map { ArgumentText.path($0).withCString { strdup($0) } } + [nil]
    defer { for argument in arguments { free(argument) } }
    #if canImport(Darwin)
      let environment = _NSGetEnviron().pointee
    #else
      let environment = environ
    #endif
    var process: pid_t = 0
    let code = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environment)
    guard code == 0 else {
      if code == ENOENT { throw .notFound(words[0]) }
      throw .notStarted(words[0], reason: SystemError(code: code).reason)
    }
    return process
  }

  // MARK: Reading and writing

  /// The descriptor for `poll(2)`; negative after the stream was closed.
  func descriptor(_ stream: Stream) -> Int32 {
    stream.rawValue < descriptors.count ? descriptors[stream.rawValue] : -1
  }

  /// Appends bytes that the child has written.
  ///
  /// - Returns: false if there are none at present, or the child has closed the stream.
  func read(_ stream: Stream, into bytes: inout [UInt8], limit: Int = .max) -> Bool {
    let source = descriptor(stream)
    guard source >= 0, limit > 0 else { return false }
    while true {
      let count = systemRead(source, &buffer, min(limit, buffer.count))
      if count > 0 {
        bytes += buffer.prefix(count)
        return true
      }
      if count < 0, errno == EINTR { continue }
      if count == 0 || errno != EAGAIN {
        systemClose(source)
        descriptors[stream.rawValue] = -1
      }
      return false
    }
  }

  /// Waits for output and errors.
  ///
  /// - Parameter milliseconds: the time until `.silence`; negative for no limit.
  /// - Returns: nil after the child has closed both.
  func next(within milliseconds: Int32 = -1) -> Event? {
    while true {
      for stream in [Stream.output, .errors] {
        var bytes: [UInt8] = []
        if read(stream, into: &bytes) { return .bytes(bytes, stream) }
      }
      var requests = [Stream.output, .errors].map(descriptor).filter { $0 >= 0 }
        .map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard !requests.isEmpty else { return nil }
      let count = poll(&requests, nfds_t(requests.count), milliseconds)
      if count == 0 { return .silence }
      guard count > 0 || errno == EINTR else { return nil }
    }
  }

  /// Sends a message to the child, which gets it from `ParentChannel.receive`. A child that has ended gets none.
  func send(_ message: [UInt8]) {
    let length = withUnsafeBytes(of: UInt32(message.count)) { Array($0) }
    var rest = (length + message)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor(.channel), $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor(.channel), events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
      } else if errno != EINTR {
        return
      }
    }
  }

  // MARK: Ending

  /// Closes the streams and the channel.
  func close() {
    for descriptor in descriptors where descriptor >= 0 { systemClose(descriptor) }
    descriptors = descriptors.map { _ in -1 }
  }

  /// Requests the end of the child, which rolls back its changes first.
  func cancel() { signal(SIGTERM) }

  /// Ends the child. The next process that opens the store rolls back its changes.
  func kill() { signal(SIGKILL) }

  private func signal(_ number: Int32) {
    // After the child was waited for, another process can have its number.
    guard ending == nil else { return }
    systemKill(leadsGroup ? -process : process, number)
  }

  /// Waits until the child has ended.
  @discardableResult
  func wait() -> ProcessEnding {
    if let ending { return ending }
    var state: Int32 = 0
    while waitpid(process, &state, 0) < 0, errno == EINTR {}
    let ending = ProcessEnding(state: state)
    self.ending = ending
    return ending
  }

  /// Descriptors that are passed to a child have higher numbers here than there. A number is therefore never
  /// overwritten before it was passed.
  static let lowestDescriptor: Int32 = 16
}

/// How a process has ended.
struct ProcessEnding {
  /// The signal that ended the process; nil if the process has exited.
  let signal: Int32?
  /// The exit status; after a signal 128 and its number, as in a shell.
  let status: Int32

  /// - Parameter state: from `waitpid(2)`.
  init(state: Int32) {
    let number = state & 0x7F
    signal = number == 0 ? nil : number
    status = number == 0 ? (state >> 8) & 0xFF : 128 + number
  }
}

/// Why a process was not started.
enum ChildProcessError: Error, Hashable {
  case notFound(String)
  case notStarted(String, reason: String)
}

/// Two connected descriptors, one for this process and one for a child.
private struct DescriptorPair {
  let ours: Int32
  let theirs: Int32

  /// A pipe from the child to this process.
  static func pipe() throws(ChildProcessError) -> DescriptorPair {
    var ends: [Int32] = [-1, -1]
    guard systemPipe(&ends) == 0 else {
      throw .notStarted("a pipe", reason: SystemError.last.reason)
    }
    return try DescriptorPair(ours: ends[0], theirs: ends[1])
  }

  /// A channel in both directions.
  static func channel() throws(ChildProcessError) -> DescriptorPair {
    #if canImport(Glibc)
      let type = CInt(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw .notStarted("a channel", reason: SystemError.last.reason)
    }
    return try DescriptorPair(ours: ends[0], theirs: ends[1])
  }

  private init(ours: Int32, theirs: Int32) throws(ChildProcessError) {
    defer { for descriptor in [ours, theirs] { close(descriptor) } }
    let raised = [ours, theirs].map { fcntl($0, F_DUPFD_CLOEXEC, ChildProcess.lowestDescriptor) }
    guard raised.allSatisfy({ $0 >= 0 }), fcntl(raised[0], F_SETFL, O_NONBLOCK) == 0 else {
      let reason = SystemError.last.reason
      for descriptor in raised where descriptor >= 0 { close(descriptor) }
      throw .notStarted("a pipe", reason: reason)
    }
    (self.ours, self.theirs) = (raised[0], raised[1])
  }
}

private func systemPipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }

private func systemRead(_ descriptor: Int32, _ space: UnsafeMutableRawPointer, _ count: Int) -> Int
{
  read(descriptor, space, count)
}

private func systemClose(_ descriptor: Int32) { close(descriptor) }

private func systemKill(_ process: pid_t, _ signal: Int32) { kill(process, signal) }
