#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Asks whether the first stores are reason enough to do all others.
enum Canary {
  /// Whether somebody can be asked.
  static var canAsk: Bool {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    close(terminal)
    return true
  }

  /// - Returns: false without a terminal.
  static func wantsMore(behind summary: FleetSummary, left: Int) -> Bool {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    defer { close(terminal) }
    let stream = Terminal.Stream(descriptor: terminal)
    stream.send(
      "\(summary.done.grouped) done, \(summary.failed.grouped) failed; go on with \(left.grouped)? [y/N] "
    )
    var answer = [UInt8](repeating: 0, count: 64)
    let count = read(terminal, &answer, answer.count)
    return count > 0 && (answer[0] == UInt8(ascii: "y") || answer[0] == UInt8(ascii: "Y"))
  }
}
