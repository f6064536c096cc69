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

/// A process that this process has started. It runs another program, or a command of this program.
///
/// No other type starts processes. The arguments don't pass through a shell. The child inherits only the descriptors
/// that this type passes to it. With musl, which can't close all other descriptors, the child also inherits all
/// descriptors that aren't close-on-exec. docs/architecture.md explains why this type doesn't use swift-subprocess.
final class ChildProcess {
  /// A stream from which this process reads.
  enum Stream: CaseIterable {
    case output, errors
    /// The channel to a command of this program, see `ParentChannel`.
    case channel
  }

  enum Event {
    /// The child has written bytes.
    case bytes([UInt8], Stream)
    /// The child hasn't written anything during the requested time.
    case silence
  }

  private let process: pid_t
  /// Whether the child is the leader of a new process group. Signals are then sent to the whole group.
  private let leadsGroup: Bool
  /// The open streams of the child. Reading from them fails with `EAGAIN` instead of blocking.
  private(set) var files: [Stream: OpenFile]
  /// How the process has ended; nil before `wait` has returned.
  private var ending: ProcessEnding?

  /// Starts another program.
  ///
  /// - Parameter words: The program and its arguments. A program without a slash is searched in the folders of `PATH`.
  convenience init(program words: [String]) throws(ChildProcessError) {
    try self.init(words, input: O_RDONLY, hasChannel: false, passing: [], leadsGroup: false)
  }

  /// Starts one of the commands of this program, with a channel to it.
  ///
  /// The standard input of the child is only open for writing, so that a command fails if it reads from it.
  ///
  /// - Parameters:
  ///   - words: The command and its arguments.
  ///   - passed: Files that the child inherits, each with a descriptor of at least `lowestDescriptor`. In the child,
  ///     they have consecutive descriptors from `ParentChannel.firstPassed`.
  ///   - leadsGroup: Whether a signal to the child also reaches the processes that it has started.
  convenience init(
    command words: [String], passing passed: [OpenFile] = [], leadsGroup: Bool = false
  ) throws(ChildProcessError) {
    try self.init(
      [try Self.ownPath()] + words, input: O_WRONLY, hasChannel: true, passing: passed,
      leadsGroup: leadsGroup)
  }

  private init(
    _ words: [String], input: Int32, hasChannel: Bool, passing passed: [OpenFile], leadsGroup: Bool
  ) throws(ChildProcessError) {
    let streams = hasChannel ? Stream.allCases : [.output, .errors]
    let pairs = try streams.map { stream throws(ChildProcessError) in
      try stream == .channel ? DescriptorPair.channel() : .pipe()
    }
    process = try Self.spawn(
      words, input: input, pairs.map(\.theirs) + passed, leadsGroup: leadsGroup)
    files = Dictionary(zip(streams, pairs.map(\.ours))) { first, _ in first }
    self.leadsGroup = leadsGroup
  }

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
  ///   - input: The flags with which `/dev/null` is opened as the standard input of the child.
  ///   - passed: The files that become the descriptors 1, 2 and so on in the child.
  private static func spawn(
    _ words: [String], input: Int32, _ passed: [OpenFile], leadsGroup: Bool
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
    for (file, number) in zip(passed, STDOUT_FILENO...) {
      posix_spawn_file_actions_adddup2(&actions, file.descriptor, number)
    }
    #if canImport(Glibc)
      posix_spawn_file_actions_addclosefrom_np(&actions, CInt(passed.count) + STDOUT_FILENO)
    #endif
    // `ArgumentText` restores bytes of paths that aren't UTF-8.
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

  /// Appends available bytes of a stream, at most `limit` and at most 64 KiB.
  ///
  /// - Returns: Whether bytes were appended. False if none are available, `limit` is 0, or the stream was closed or
  ///   can't be read. A closed or unreadable stream is removed from `files`.
  func read(_ stream: Stream, into bytes: inout [UInt8], limit: Int = .max) -> Bool {
    guard limit > 0, let file = files[stream] else { return false }
    do throws(SystemError) {
      let piece = try file.read(upTo: min(limit, 1 << 16))
      bytes += piece
      if !piece.isEmpty { return true }
    } catch {
      if error.code == EAGAIN { return false }
    }
    files[stream] = nil
    return false
  }

  /// Waits for bytes on standard output or standard error.
  ///
  /// - Parameter milliseconds: The time after which `.silence` is returned; negative for no limit.
  /// - Returns: Nil after the child has closed both streams.
  func next(within milliseconds: Int32 = -1) -> Event? {
    while true {
      for stream in [Stream.output, .errors] {
        var bytes: [UInt8] = []
        if read(stream, into: &bytes) { return .bytes(bytes, stream) }
      }
      let open = [Stream.output, .errors].compactMap { files[$0] }
      guard !open.isEmpty else { return nil }
      guard OpenFile.waitForBytes(in: open, milliseconds: milliseconds) else { return .silence }
    }
  }

  /// Sends a message that the child receives with `ParentChannel.receive`. If the child has ended, the message is
  /// dropped.
  func send(_ message: [UInt8]) {
    let length = withUnsafeBytes(of: UInt32(message.count)) { Array($0) }
    do throws(SystemError) {
      try files[.channel]?.write(length + message)
    } catch {
      // The caller notices the end of the child when it reads from the streams.
    }
  }

  // MARK: Ending

  /// Closes the streams and the channel.
  func close() { files = [:] }

  /// Requests the end of the child by SIGTERM. A command of this program then rolls back a write before it ends.
  func cancel() { signal(SIGTERM) }

  /// Ends the child by SIGKILL. Its uncommitted changes of a store are lost, as after a crash.
  func kill() { signal(SIGKILL) }

  private func signal(_ number: Int32) {
    // After `wait` has returned, another process can have the child's ID.
    guard ending == nil else { return }
    systemKill(leadsGroup ? -process : process, number)
  }

  /// Waits until the child has ended.
  @discardableResult
  func wait() -> ProcessEnding {
    if let ending { return ending }
    var state: Int32 = 0
    _ = SystemCall.uninterrupted { waitpid(process, &state, 0) }
    let ending = ProcessEnding(state: state)
    self.ending = ending
    return ending
  }

  /// The lowest descriptor that can be passed to a child. All passed descriptors are higher than their numbers in the
  /// child, so that none of them is overwritten before it is duplicated.
  static let lowestDescriptor: Int32 = 16
}

/// How a process has ended.
struct ProcessEnding {
  /// The signal that ended the process; nil if the process has exited.
  let signal: Int32?
  /// The exit status. After a signal, 128 plus its number, as in a shell.
  let status: Int32

  /// - Parameter state: The state from `waitpid(2)`.
  init(state: Int32) {
    let number = state & 0x7F
    signal = number == 0 ? nil : number
    status = number == 0 ? (state >> 8) & 0xFF : 128 + number
  }
}

/// The reason why a process wasn't started.
enum ChildProcessError: Error, Hashable {
  case notFound(String)
  case notStarted(String, reason: String)
}

/// Two connected descriptors, one for this process and one for a child.
private struct DescriptorPair {
  let ours: OpenFile
  let theirs: OpenFile

  /// A pipe from the child to this process.
  static func pipe() throws(ChildProcessError) -> DescriptorPair {
    try DescriptorPair("a pipe") { systemPipe(&$0) }
  }

  /// A channel in both directions.
  static func channel() throws(ChildProcessError) -> DescriptorPair {
    #if canImport(Glibc)
      let type = CInt(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    return try DescriptorPair("a channel") { socketpair(AF_UNIX, type, 0, &$0) }
  }

  /// - Parameter create: Creates the descriptors, and returns 0 if this is possible.
  private init(_ name: String, _ create: (inout [Int32]) -> Int32) throws(ChildProcessError) {
    var ends: [Int32] = [-1, -1]
    guard create(&ends) == 0 else { throw .notStarted(name, reason: SystemError.last.reason) }
    let (ours, theirs) = (OpenFile(descriptor: ends[0]), OpenFile(descriptor: ends[1]))
    do throws(SystemError) {
      self.ours = try ours.duplicate(from: ChildProcess.lowestDescriptor)
      self.theirs = try theirs.duplicate(from: ChildProcess.lowestDescriptor)
      guard fcntl(self.ours.descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw .last }
    } catch {
      throw .notStarted("a pipe", reason: error.reason)
    }
  }
}

private func systemPipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }

private func systemKill(_ process: pid_t, _ signal: Int32) { kill(process, signal) }
