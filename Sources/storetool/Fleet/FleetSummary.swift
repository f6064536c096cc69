import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The number of stores with each result.
struct FleetSummary {
  /// The number of failures with the same code, and the first store that failed with this code.
  struct FailureKind: Hashable {
    var code: String
    var count: Int
    var store: LocalPath
    var message: String?

    /// A line such as `40 × store.damaged, for example a.sqlite: the file is damaged`.
    var line: String {
      let kind = code == "found" ? "with findings" : "× \(code)"
      let reason = message.map { ": \($0)" } ?? ""
      return "\(count.grouped) \(kind), for example \(store)\(reason)"
    }
  }

  private(set) var done = 0
  /// The number of stores for which the command succeeded in previous runs with the same journal.
  var doneBefore = 0
  private(set) var failedBefore = 0
  private(set) var failed = 0
  private(set) var failures: [FailureKind] = []
  /// The number of stores that weren't started or were cancelled, or whose worker exited before the command had
  /// finished.
  var skipped = 0
  /// The number of rows that the command counted; nil if it doesn't count rows.
  var counted: Int?

  var all: Int { done + doneBefore + failed + failedBefore + skipped }
  var isSuccess: Bool { failed + failedBefore + skipped == 0 }

  mutating func add(_ record: FleetRecord, _ store: LocalPath, isBefore: Bool = false) {
    guard record.outcome == .failed else {
      if isBefore { doneBefore += 1 } else { done += 1 }
      return
    }
    if isBefore { failedBefore += 1 } else { failed += 1 }
    let code = record.code ?? "found"
    if let index = failures.firstIndex(where: { $0.code == code }) {
      failures[index].count += 1
    } else {
      failures.append(FailureKind(code: code, count: 1, store: store, message: record.message))
    }
  }

  /// Counts a store as failed instead of done.
  mutating func refuse(_ record: FleetRecord, _ store: LocalPath) {
    done -= 1
    add(record, store)
  }

  /// The summary: a line such as `2,000 stores: 1,950 done, 40 failed, 10 not processed`, then a line for each error
  /// code.
  var lines: [String] {
    var parts = ["\(done.grouped) done"]
    if doneBefore > 0 { parts.append("\(doneBefore.grouped) done in previous runs") }
    if failed > 0 { parts.append("\(failed.grouped) failed") }
    if failedBefore > 0 { parts.append("\(failedBefore.grouped) failed in previous runs") }
    if skipped > 0 { parts.append("\(skipped.grouped) not processed") }
    // The numbers of rows in failed stores, and in the stores of previous runs, are unknown.
    let scope =
      done < all ? "counted in the \("store".plural(done)) done in this run" : "in total"
    if let counted, done > 0 || isSuccess {
      parts[parts.count - 1] += "; \(counted.grouped) \("row".plural(counted)) \(scope)"
    }
    let first = "\(all.grouped) \("store".plural(all)): \(parts.joined(separator: ", "))"
    return [first]
      + failures.sorted { ($1.count, $0.code) < ($0.count, $1.code) }.map { $0.line }
  }
}

/// The progress line on a terminal.
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
    share.insert("\(Int(Double(ended) / (elapsed / .seconds(1))).grouped)/s", at: 1)
    ProgressLine.show(parts + share)
  }

  /// Clears the line. Must be called before other output is written to the terminal.
  mutating func clear() {
    guard shown != nil else { return }
    ProgressLine.clear()
    shown = nil
  }
}

/// Asks the user whether to continue after the first stores (`--canary`).
enum Canary {
  /// Whether there is a terminal on which the user can be asked.
  static var canAsk: Bool { terminal != nil }

  private static var terminal: OpenFile? {
    do throws(SystemError) {
      return try OpenFile("/dev/tty", O_RDWR)
    } catch {
      return nil
    }
  }

  /// - Returns: Whether the user answers yes; false without a terminal.
  static func wantsMore(behind summary: FleetSummary, left: Int) -> Bool {
    guard let terminal else { return false }
    Terminal.Stream(file: terminal).send(
      "\(summary.done.grouped) done, \(summary.failed.grouped) failed; "
        + "continue with the remaining \(left.grouped)? [y/N] "
    )
    do throws(SystemError) {
      return try [UInt8(ascii: "y"), UInt8(ascii: "Y")].contains(terminal.read(upTo: 64).first)
    } catch {
      return false
    }
  }
}
