import StoreCore
import StoreDiagnostics
import StoreModel
import Synchronization

/// Shows on a terminal how far long work has come: rows done and the rate, and where it is known how many
/// there are, their share and the time that is left.
///
///     412,672 of 1,000,000 rows, 41%, 530,000/s, 2 s left
final class Progress: Sendable {
  private let noun: String
  private let isVisible: Bool
  private let known: @Sendable () -> Double?
  private let start = ContinuousClock.now
  private let shown = Mutex<ContinuousClock.Instant?>(nil)

  /// Shorter work needs no progress.
  private static let delay = Duration.milliseconds(500)
  private static let interval = Duration.milliseconds(200)

  /// - Parameters:
  ///   - noun: what is counted, in the plural.
  ///   - output: where the command's result goes; on a terminal it is its own progress.
  ///   - share: how much is done, from 0 to 1, where something else than the count tells it.
  init(
    _ noun: String, besides output: Terminal.Stream? = nil,
    share: @escaping @Sendable () -> Double? = { nil }
  ) {
    self.noun = noun
    known = share
    isVisible = Terminal.err.isTerminal && output?.isTerminal != true
  }

  /// Runs work that reports how far it has come, as often as it likes; clears the line at its end.
  func following<Result>(
    _ work: (_ report: @escaping @Sendable (Int) -> Void) throws -> Result
  ) rethrows -> Result {
    defer { clear() }
    return try work { self.report($0, of: nil) }
  }

  /// The same for work of which the number is known.
  ///
  /// - Parameter work: is given nil where nobody sees what it reports, for reporting may cost something.
  func followingBatch<Result>(
    _ work: (_ report: (@Sendable (BatchProgress) -> Void)?) throws -> Result
  ) rethrows -> Result {
    defer { clear() }
    guard isVisible else { return try work(nil) }
    return try work { self.report($0.rows, of: $0.total) }
  }

  /// For the steps of it that are not counted.
  func report(_ step: WorkStep) {
    // A step may last, and says nothing more.
    guard isVisible, ContinuousClock.now - start > Self.interval else { return }
    shown.withLock { $0 = .now }
    ProgressLine.show([step.purpose] + (step.share.map { ["\(Int($0 * 100))%"] } ?? []))
  }

  private func report(_ count: Int, of total: Int?) {
    guard isVisible else { return }
    let now = ContinuousClock.now
    let elapsed = now - start
    guard elapsed > Self.delay else { return }
    let isDue = shown.withLock { shown in
      if let shown, now - shown < Self.interval { return false }
      shown = now
      return true
    }
    guard isDue else { return }
    let rate = Int(Double(count) / elapsed.inSeconds)
    let total = total.map { max($0, count) }
    let share = total.map { Double(count) / Double(max($0, 1)) } ?? known()
    var parts = share.map { ProgressLine.share($0, after: elapsed) } ?? []
    parts.insert("\(rate.grouped)/s", at: min(1, parts.count))
    let counted = total.map { "\(count.grouped) of \($0.grouped)" } ?? count.grouped
    ProgressLine.show(["\(counted) \(noun)"] + parts)
  }

  private func clear() {
    if shown.withLock({ $0 != nil }) { ProgressLine.clear() }
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

  /// `1 row`, `2 rows`
  func counted(_ noun: String) -> String { "\(self) \(noun.plural(self))" }
}

/// The one line on a terminal that says how far work has come, and goes when the work is done.
enum ProgressLine {
  /// - Parameter parts: what is told, with commas between.
  static func show(_ parts: [String]) {
    var text = ControlCharacters.escaped(in: parts.joined(separator: ", "))
    // A second line would stay when the first one is written anew.
    if let width = Terminal.err.size?.columns { text = DisplayWidth.cut(text, to: width - 1) }
    // Back to the line's start, and clear what a longer line has left.
    Terminal.err.send("\r\(text)\u{1B}[K")
  }

  static func clear() {
    Terminal.err.send("\r\u{1B}[K")
  }

  /// `41%`, and once it can be told, how long the rest takes.
  static func share(_ share: Double, after elapsed: Duration) -> [String] {
    let percent = "\(Int(share * 100))%"
    guard share >= leastShare, share < 1 else { return [percent] }
    return [percent, "\((elapsed.inSeconds * (1 - share) / share).shownAsTime) left"]
  }

  /// With less behind, what is left is a guess.
  private static let leastShare = 0.02
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension Double {
  /// `12 s`, `3 min`, `1 h 20 min`
  fileprivate var shownAsTime: String {
    let seconds = Int(rounded(.up))
    guard seconds >= 100 else { return "\(seconds) s" }
    let minutes = (seconds + 59) / 60
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
