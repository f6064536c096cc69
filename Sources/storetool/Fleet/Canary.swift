import StoreDiagnostics

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
  static var canAsk: Bool { terminal != nil }

  private static var terminal: OpenFile? {
    do throws(SystemError) {
      return try OpenFile("/dev/tty", O_RDWR)
    } catch {
      return nil
    }
  }

  /// - Returns: false without a terminal.
  static func wantsMore(behind summary: FleetSummary, left: Int) -> Bool {
    guard let terminal else { return false }
    Terminal.Stream(file: terminal).send(
      "\(summary.done.grouped) done, \(summary.failed.grouped) failed; go on with \(left.grouped)? [y/N] "
    )
    do throws(SystemError) {
      return try [UInt8(ascii: "y"), UInt8(ascii: "Y")].contains(terminal.read(upTo: 64).first)
    } catch {
      return false
    }
  }
}
