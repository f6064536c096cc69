import Synchronization

/// Shows on a terminal how far long work has come: rows done, and the rate.
///
///     412,672 rows, 530,000/s
final class Progress: Sendable {
  private struct State {
    var shown: ContinuousClock.Instant?
  }

  private let noun: String
  private let isVisible: Bool
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// Shorter work needs no progress.
  private static let delay = Duration.milliseconds(500)
  private static let interval = Duration.milliseconds(200)

  /// - Parameters:
  ///   - noun: what is counted, in the plural.
  ///   - output: where the command's result goes; on a terminal it is its own progress.
  init(_ noun: String, besides output: Terminal.Stream? = nil) {
    self.noun = noun
    isVisible = Terminal.err.isTerminal && output?.isTerminal != true
  }

  /// Runs work that reports how far it has come, as often as it likes; clears the line at its end.
  func following<Result>(
    _ work: (_ report: @escaping @Sendable (Int) -> Void) throws -> Result
  ) rethrows -> Result {
    defer { clear() }
    return try work(report)
  }

  @Sendable private func report(_ count: Int) {
    guard isVisible else { return }
    let now = ContinuousClock.now
    let elapsed = now - start
    guard elapsed > Self.delay else { return }
    let isDue = state.withLock { state in
      if let shown = state.shown, now - shown < Self.interval { return false }
      state.shown = now
      return true
    }
    guard isDue else { return }
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let rate = Int(Double(count) / seconds)
    // Back to the line's start, and clear what a longer line has left.
    Terminal.err.send("\r\(count.grouped) \(noun), \(rate.grouped)/s\u{1B}[K")
  }

  private func clear() {
    let wasShown = state.withLock { $0.shown != nil }
    if wasShown { Terminal.err.send("\r\u{1B}[K") }
  }
}

extension Int {
  /// 1,234,567
  var grouped: String {
    var digits = String(magnitude)
    var end = digits.endIndex
    while let place = digits.index(end, offsetBy: -3, limitedBy: digits.startIndex),
      place > digits.startIndex
    {
      digits.insert(",", at: place)
      end = place
    }
    return (self < 0 ? "-" : "") + digits
  }
}
