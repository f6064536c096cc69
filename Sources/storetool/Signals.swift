import StoreEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the process does with signals.
enum Signals {
  /// A closed pipe becomes a write error, which ends a command silently.
  static func ignoreClosedPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// For commands that write: Ctrl-C and `kill` cancel and roll back, a second one ends at once.
  static func cancelOnInterrupt() {
    for number in [SIGINT, SIGTERM] {
      signal(number) { received in
        Cancellation.ofProcess.request()
        signal(received, SIG_DFL)
      }
    }
  }
}
