import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The handling of signals in this process.
enum Signals {
  /// Makes failed writes return errors instead of ending the process by a signal. A command then ends silently if the
  /// reader closes the pipe, and a file that can't grow (`ulimit -f`) is handled like a full disk.
  static func ignoreWriteSignals() {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  /// Makes Ctrl-C and `kill` cancel and roll back a write. A second signal of the same kind ends the process
  /// immediately.
  static func cancelOnInterrupt() {
    Cancellation.makeOfProcess()
    // A process inherits the blocked signals of the thread that started it.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    for number in [SIGINT, SIGTERM] {
      sigaddset(&blocked, number)
      signal(number) { received in
        Cancellation.ofProcess.request()
        signal(received, SIG_DFL)
      }
    }
    pthread_sigmask(SIG_UNBLOCK, &blocked, nil)
  }

  /// Ends the process silently with status 0 if it is still running after a number of seconds.
  static func leave(after seconds: UInt32) {
    signal(SIGALRM) { _ in _exit(0) }
    alarm(seconds)
  }

  /// Waits for Ctrl-C or `kill`.
  static func waitForInterrupt() {
    cancelOnInterrupt()
    while !Cancellation.ofProcess.isRequested { usleep(50_000) }
  }

  /// Waits for a number of microseconds.
  ///
  /// - Throws: `Cancelled` after Ctrl-C or `kill`, if they cancel the command.
  static func pause(_ microseconds: UInt32) throws {
    usleep(microseconds)
    try Cancellation.ofProcess.check()
  }

  /// Ends the process group of this process.
  static func endGroup() {
    kill(0, SIGTERM)
  }

  /// Makes Ctrl-C and `kill` end the process immediately. This is for the time after a commit, when a signal can only
  /// truncate the output.
  static func endOnInterrupt() {
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
