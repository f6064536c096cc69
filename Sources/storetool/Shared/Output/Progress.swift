import StoreCore
import StoreDiagnostics
import StoreModel
import Synchronization

/// Shows the progress of a long operation on a terminal: the number of rows and the rate, and also the finished share
/// and the remaining time if the total is known.
///
///     412,672 of 1,000,000 rows, 41%, 530,000/s, 2 s left
final class Progress: Sendable {
  private let noun: String
  private let isVisible: Bool
  private let shareWithoutTotal: @Sendable () -> Double?
  private let start = ContinuousClock.now
  /// The time when the line was last shown; nil if it hasn't been shown.
  private let shown = Mutex<ContinuousClock.Instant?>(nil)

  /// The time after the start during which no count is shown.
  private static let delay = Duration.milliseconds(500)
  /// The minimum time between two counts.
  private static let interval = Duration.milliseconds(200)

  /// - Parameters:
  ///   - noun: The counted things, in the plural.
  ///   - output: The stream to which the command writes its result during the operation. If it is a terminal, the
  ///     result itself shows the progress.
  ///   - share: Returns the finished share, from 0 to 1, of an operation without a known total; nil if it is unknown.
  init(
    _ noun: String, besides output: Terminal.Stream? = nil,
    share: @escaping @Sendable () -> Double? = { nil }
  ) {
    self.noun = noun
    shareWithoutTotal = share
    isVisible = Terminal.err.isTerminal && output?.isTerminal != true
  }

  /// Runs an operation that reports its count, and clears the line at the end. Frequent reports aren't all shown.
  func following<Result>(
    _ work: (_ report: @escaping @Sendable (Int) -> Void) throws -> Result
  ) rethrows -> Result {
    defer { clear() }
    return try work { self.report($0, of: nil) }
  }

  /// Runs an operation that reports its count and the total, and clears the line at the end.
  ///
  /// - Parameter work: The operation. Its argument is nil if progress isn't shown, because reporting may be expensive.
  func followingBatch<Result>(
    _ work: (_ report: (@Sendable (BatchProgress) -> Void)?) throws -> Result
  ) rethrows -> Result {
    defer { clear() }
    guard isVisible else { return try work(nil) }
    return try work { self.report($0.rows, of: $0.total) }
  }

  /// Shows a step without a count.
  func report(_ step: WorkStep) {
    // Each step reports only once and may be long, so it is shown earlier than a count.
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
    let rate = Int(Double(count) / (elapsed / .seconds(1)))
    let total = total.map { max($0, count) }
    let share = total.map { Double(count) / Double(max($0, 1)) } ?? shareWithoutTotal()
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
  /// The number with thousands separators, such as `1,234,567`.
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

  /// Returns the number and the noun, such as `1 row` or `2 rows`.
  func counted(_ noun: String) -> String { "\(self) \(noun.plural(self))" }
}

/// The last line of the terminal, which shows the progress until the end of the operation.
enum ProgressLine {
  /// Replaces the content of the line.
  ///
  /// - Parameter parts: The texts, which are joined by commas.
  static func show(_ parts: [String]) {
    var text = ControlCharacters.escaped(in: parts.joined(separator: ", "))
    // The text is cut to one line of the terminal, because only this line is overwritten later.
    if let width = Terminal.err.size?.columns { text = DisplayWidth.cut(text, to: width - 1) }
    // Return to the start of the line, and clear the rest of a longer line.
    Terminal.err.send("\r\(text)\u{1B}[K")
  }

  static func clear() {
    Terminal.err.send("\r\u{1B}[K")
  }

  /// Returns the share as a percentage, and the remaining time if it can be estimated: `41%` and `2 s left`.
  static func share(_ share: Double, after elapsed: Duration) -> [String] {
    let percent = "\(Int(share * 100))%"
    guard share >= leastShare, share < 1 else { return [percent] }
    return [percent, "\((elapsed / .seconds(1) * (1 - share) / share).shownAsTime) left"]
  }

  /// The share from which the remaining time is estimated.
  private static let leastShare = 0.02
}

extension Double {
  /// The time, such as `12 s`, `3 min` or `1 h 20 min`, for a number of seconds.
  fileprivate var shownAsTime: String {
    let seconds = Int(rounded(.up))
    guard seconds >= 100 else { return "\(seconds) s" }
    let minutes = (seconds + 59) / 60
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
