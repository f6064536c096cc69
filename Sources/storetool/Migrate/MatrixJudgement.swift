import StoreDiagnostics
import StoreMigration

/// The evaluation of the migrations that `migrate matrix` has tested, each for a pair of versions: which pairs failed,
/// which failures are accepted, and their causes.
struct MatrixJudgement {
  /// A problem of the migrations of one or more pairs of versions.
  struct Cause {
    let problem: PairIssue
    /// The results of the pairs with this problem.
    fileprivate(set) var outcomes: [MigrationMatrix.Result] = []
    fileprivate(set) var rows = 0
    fileprivate(set) var isAccepted = true
    /// Whether at least one pair with this problem failed.
    fileprivate(set) var refuses = false
  }

  let outcomes: [MigrationMatrix.Result]
  /// The codes of `--ignore`.
  let named: [IgnoredCode]
  /// The codes of the settings file.
  let ofSettings: [IgnoredCode]
  var baseline: MatrixBaseline?

  func accepts(_ problem: PairIssue, of outcome: MigrationMatrix.Result) -> Bool {
    ignores(problem, of: outcome) || baseline?.covers(problem, of: outcome) == true
  }

  private func ignores(_ problem: PairIssue, of outcome: MigrationMatrix.Result) -> Bool {
    (named + ofSettings).contains { $0.covers(problem.code, outcome.pair) }
  }

  /// Returns whether a pair failed, and all of its problems are accepted.
  func accepts(_ outcome: MigrationMatrix.Result) -> Bool {
    outcome.isRefused && !outcome.result.problems.isEmpty
      && outcome.result.problems.allSatisfy { accepts($0, of: outcome) }
  }

  var fails: Bool { outcomes.contains { $0.isRefused && !accepts($0) } }

  /// The causes without duplicates, sorted by the number of their pairs in descending order.
  var causes: [Cause] {
    var causes: [Cause] = []
    var places: [DiagnosticMessage: Int] = [:]
    for outcome in outcomes {
      for problem in outcome.result.problems {
        let index = places[problem.cause] ?? causes.count
        if index == causes.count { causes.append(Cause(problem: problem)) }
        places[problem.cause] = index
        causes[index].outcomes.append(outcome)
        causes[index].rows += problem.rows ?? 0
        if outcome.isRefused { causes[index].refuses = true }
        if !accepts(problem, of: outcome) { causes[index].isAccepted = false }
      }
    }
    let order = causes.indices.sorted {
      (causes[$1].outcomes.count, $0) < (causes[$0].outcomes.count, $1)
    }
    return order.map { causes[$0] }
  }

  /// The causes that aren't accepted, as findings of a check.
  var findings: [DiagnosticMessage] {
    causes.filter { !$0.isAccepted }.map { cause in
      var finding = cause.problem.cause
      finding.severity = cause.refuses ? .error : .warning
      finding.message = cause.subject + cause.problem.cause.message
      finding.place = cause.problem.cause.place ?? cause.outcomes.first?.place
      return finding
    }
  }

  // MARK: Baselines

  /// The problems of failed pairs.
  private func refusals(
    where isIncluded: (PairIssue, MigrationMatrix.Result) -> Bool
  ) -> [MatrixBaseline.Entry] {
    outcomes.filter(\.isRefused).flatMap { outcome in
      outcome.result.problems.filter { isIncluded($0, outcome) }
        .map { MatrixBaseline.Entry($0, of: outcome) }
    }
  }

  /// Returns the baseline with the failures of the tested pairs, except ignored ones. The lines of other pairs are
  /// kept.
  func newBaseline(_ baseline: MatrixBaseline) -> MatrixBaseline {
    var baseline = baseline
    let tried = Set(outcomes.map { [$0.model, $0.pair.text] })
    baseline.replace(refusals { !ignores($0, of: $1) }) { tried.contains([$0, $1]) }
    return baseline
  }

  /// Returns notes about accepted failures that don't occur.
  ///
  /// - Parameter possible: The pairs of each model, including untested ones.
  func staleNotes(_ possible: [String: Set<VersionPair>]) -> [DiagnosticMessage] {
    let stale = named.filter { code in
      !outcomes.contains { outcome in
        outcome.result.problems.contains { code.covers($0.code, outcome.pair) }
      }
    }.map {
      DiagnosticMessage(.note, "ignore.unused", "the ignored code '\($0.text)' doesn't occur")
    }
    guard let baseline else { return stale }
    let current = Set(refusals { _, _ in true })
    let tried = Set(outcomes.map { [$0.model, $0.pair.text] })
    let gone = baseline.entries.subtracting(current).filter { entry in
      guard let pairs = possible[entry.model] else { return false }
      return tried.contains([entry.model, entry.pair])
        || !pairs.contains { $0.text.isExactly(entry.pair) }
    }
    return stale
      + gone.sorted { $0.line < $1.line }.map {
        DiagnosticMessage(
          .note, "baseline.gone",
          "'\(baseline.path)' accepts a failure that no longer occurs: \($0.model), \($0.pair): \($0.cause)",
          help: ["remove the line, or run the command with --write-baseline"])
      }
  }
}

extension MigrationMatrix.Result {
  var pair: VersionPair { VersionPair(from: from, to: to) }

  /// Whether the migration of the pair failed.
  var isRefused: Bool {
    switch result.verdict {
    case .refused, .failed: true
    case .proved, .conditional, .same: false
    }
  }

  fileprivate var place: SourcePlace { SourcePlace(file: "\(target)", line: 1, column: 1) }
}

extension MatrixJudgement.Cause {
  private static let listLimit = 3

  /// The beginning of a message, such as `'Todo--Todo 2', 'Todo--Todo 3', 'Todo 2--Todo 3' and 4 more pairs: `.
  fileprivate var subject: String {
    let names = outcomes.prefix(Self.listLimit).map { "'\($0.pair.text)'" }
    let rest = outcomes.count - names.count
    let more = rest > 0 ? " and \(rest) more \("pair".plural(rest))" : ""
    return names.joined(separator: ", ") + more + ": "
  }
}
