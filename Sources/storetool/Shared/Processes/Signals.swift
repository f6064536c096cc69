import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the process does with signals.
enum Signals {
  /// What can't be written becomes a write error: a closed pipe ends a command silently, and a file that
  /// may not grow any more (`ulimit -f`) is like a full disk.
  static func ignoreWriteSignals() {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }

  /// For commands that write: Ctrl-C and `kill` cancel and roll back, a second one ends at once.
  static func cancelOnInterrupt() {
    Cancellation.makeOfProcess()
    // A program that starts us from a thread of its own may have left them blocked.
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

  /// Ends the process quietly where it has not ended by itself.
  static func leave(after seconds: UInt32) {
    signal(SIGALRM) { _ in _exit(0) }
    alarm(seconds)
  }

  /// Waits until Ctrl-C or `kill`.
  static func waitForInterrupt() {
    cancelOnInterrupt()
    while !Cancellation.ofProcess.isRequested { usleep(50_000) }
  }

  /// Once the work is committed: Ctrl-C only cuts the output short.
  static func endOnInterrupt() {
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
  }
}
