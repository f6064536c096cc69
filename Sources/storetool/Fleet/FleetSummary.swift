import StoreDiagnostics

/// What became of all stores, in numbers.
struct FleetSummary {
  /// A kind of failure, with the first store that it befell.
  struct FailureKind: Hashable {
    var code: String
    var count: Int
    var store: FilePath
    var message: String?
  }

  private(set) var done = 0
  /// Done by an earlier run with the same journal.
  var doneBefore = 0
  private(set) var failedBefore = 0
  private(set) var failed = 0
  private(set) var failures: [FailureKind] = []
  /// Never begun, or stopped by the user.
  var skipped = 0
  /// The rows that a command was to count.
  var counted: Int?

  var all: Int { done + doneBefore + failed + failedBefore + skipped }
  var isSuccess: Bool { failed + failedBefore + skipped == 0 }

  mutating func add(_ record: FleetRecord, _ store: FilePath, isBefore: Bool = false) {
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

  /// What was taken for done has failed after all.
  mutating func refuse(_ record: FleetRecord, _ store: FilePath) {
    done -= 1
    add(record, store)
  }

  /// `2,000 stores: 1,950 done, 40 failed, 10 not done`, and a line for each kind of failure.
  var lines: [String] {
    var parts = ["\(done.grouped) done"]
    if doneBefore > 0 { parts.append("\(doneBefore.grouped) done before") }
    if failed > 0 { parts.append("\(failed.grouped) failed") }
    if failedBefore > 0 { parts.append("\(failedBefore.grouped) failed before") }
    if skipped > 0 { parts.append("\(skipped.grouped) not done") }
    // Counts of stores that a previous run did, or that failed, are unknown.
    let scope = done < all ? "in the \("store".plural(done)) done" : "in all"
    let counted = counted.map { done > 0 || isSuccess ? "; \($0.grouped) \(scope)" : "" } ?? ""
    let first = "\(all.grouped) \("store".plural(all)): \(parts.joined(separator: ", "))\(counted)"
    return [first]
      + failures.sorted { ($1.count, $0.code) < ($0.count, $1.code) }.map { failure in
        "\(failure.count.grouped) \(failure.code), as \(failure.store)"
          + (failure.message.map { ": \($0)" } ?? "")
      }
  }
}
