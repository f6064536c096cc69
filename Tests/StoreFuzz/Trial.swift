import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// One run of the program, within limits.
struct Trial {
  /// The limit of processor seconds for one command.
  static let seconds = 20
  /// The limit of resident memory.
  static let megabytes = 500
  /// The limit of elapsed seconds, for commands that wait without using the processor.
  private static let patience = 90.0

  var status: Int32
  var signal: Int32
  /// The used processor seconds.
  var milliseconds: Int
  var megabytes: Int
  var isTooSlow: Bool
  var errors: String

  /// - Parameter words: the arguments, without the name of the program.
  init(_ words: [String], binary: String, in folder: String) throws {
    let log = folder + ".err"
    let script = """
      cd "$1" || exit 99; log=$2; shift 2; ulimit -t \(Self.seconds); ulimit -c 0
      exec "$@" </dev/null >/dev/null 2>"$log"
      """
    let arguments = ["bash", "-c", script, "bash", folder, log, binary] + words
    var process: pid_t = 0
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    let settings = ["PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"]
    var environment: [UnsafeMutablePointer<CChar>?] = settings.map { strdup($0) } + [nil]
    defer { for pointer in environment { free(pointer) } }
    let code = posix_spawn(&process, "/bin/bash", nil, nil, &pointers, &environment)
    guard code == 0 else { throw TrialError.spawn(code) }
    let (raw, usage, isKilled) = Self.wait(for: process)
    // Like WIFSIGNALED and WEXITSTATUS, which Swift doesn't import.
    signal = raw & 0x7F
    status = (raw >> 8) & 0xFF
    milliseconds = Self.milliseconds(usage.ru_utime) + Self.milliseconds(usage.ru_stime)
    #if canImport(Darwin)
      megabytes = Int(usage.ru_maxrss) >> 20
    #else
      megabytes = Int(usage.ru_maxrss) >> 10
    #endif
    isTooSlow =
      isKilled || signal == SIGXCPU
      || (signal == SIGKILL && usage.ru_utime.tv_sec >= Self.seconds - 1)
    errors = String(
      decoding: (try? Data(contentsOf: URL(fileURLWithPath: log))) ?? Data(), as: UTF8.self)
  }

  private static func milliseconds(_ time: timeval) -> Int {
    Int(time.tv_sec) * 1000 + Int(time.tv_usec) / 1000
  }

  private static func wait(for process: pid_t) -> (status: Int32, rusage, isKilled: Bool) {
    var status: Int32 = 0
    var usage = rusage()
    let deadline = Date().addingTimeInterval(patience)
    var pause: UInt32 = 500
    while wait4(process, &status, WNOHANG, &usage) == 0 {
      if Date() > deadline {
        kill(process, SIGKILL)
        wait4(process, &status, 0, &usage)
        return (status, usage, true)
      }
      usleep(pause)
      pause = min(pause * 2, 10_000)
    }
    return (status, usage, false)
  }

  /// Returns the failure, or nil.
  var finding: String? {
    if isTooSlow { return "it takes more than \(Self.seconds) s" }
    if signal != 0 { return "signal \(signal)" }
    if status == 70 { return "exit status 70" }
    if status == 99 || status > 130 { return "exit status \(status)" }
    if megabytes > Self.megabytes { return "\(megabytes) MB" }
    return nil
  }
}

enum TrialError: Error {
  case spawn(Int32)
  /// A command that must succeed on an intact store.
  case sample(String)
}
