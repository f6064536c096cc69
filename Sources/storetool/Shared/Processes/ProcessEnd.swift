#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How a process has ended that this one had started.
struct ProcessEnd {
  /// What ended it; nil where it has left by itself.
  let signal: Int32?
  /// As a shell says it: 128 and the signal's number where one ended it.
  let status: Int32

  /// Waits for it.
  init(of process: pid_t) {
    var state: Int32 = 0
    while waitpid(process, &state, 0) < 0, errno == EINTR {}
    let number = state & 0x7F
    signal = number == 0 ? nil : number
    status = number == 0 ? (state >> 8) & 0xFF : 128 + number
  }
}
