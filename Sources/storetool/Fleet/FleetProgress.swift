import StoreDiagnostics

/// The line on a terminal that says how many stores are done.
///
///     1,204 of 2,000 stores, 3 failed, 60%, 812/s, 1 s left
struct FleetProgress {
  private let isVisible = Terminal.err.isTerminal && !Terminal.reportsJSON
  private let total: Int
  private let start = ContinuousClock.now
  private var shown: ContinuousClock.Instant?

  private static let interval = Duration.milliseconds(200)

  init(total: Int) {
    self.total = total
  }

  mutating func show(_ summary: FleetSummary) {
    let now = ContinuousClock.now
    guard isVisible, now - (shown ?? start) > Self.interval else { return }
    shown = now
    let ended = summary.done + summary.failed
    let elapsed = now - start
    var parts = ["\(ended.grouped) of \(total.grouped) \("store".plural(total))"]
    if summary.failed > 0 { parts.append("\(summary.failed.grouped) failed") }
    var share = ProgressLine.share(Double(ended) / Double(max(total, 1)), after: elapsed)
    share.insert("\(Int(Double(ended) / elapsed.inSeconds).grouped)/s", at: 1)
    ProgressLine.show(parts + share)
  }

  /// Before anything else is written to the terminal.
  mutating func clear() {
    guard shown != nil else { return }
    ProgressLine.clear()
    shown = nil
  }
}
