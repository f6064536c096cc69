import RecordFormats
import StoreDiagnostics
import StoreMigration

/// The output of `migrate matrix`. The formats for programs contain one complete record for each pair of versions. The
/// formats for people list each problem once, as a numbered cause, and then the pairs with the numbers of their causes.
struct MatrixFacts {
  let judgement: MatrixJudgement

  private static let counts = ["rows", "rowsProved", "valuesProved", "pairsProved"]

  private struct PairFacts: Encodable {
    let model, from, to, result: String
    @OmittedIfNil var accepted: Bool? = nil
    let rows: Int
    let rowsProved, valuesProved, pairsProved: Int?
    let definitions: [LocalPath]
    let losses: [LossFacts]
    @OmittedIfNil var problems: [ProblemFacts]? = nil
    @OmittedIfNil var causes: [String]? = nil

    init(_ outcome: MigrationMatrix.Result, suffix: String = "") {
      (model, from, to) = (outcome.model, outcome.from, outcome.to)
      result = outcome.result.verdict.rawValue + suffix
      let report = outcome.result.report
      (rows, rowsProved) = (outcome.result.rows, report?.rowsProved)
      (valuesProved, pairsProved) = (report?.valuesProved, report?.pairsProved)
      definitions = outcome.definitions
      losses = report?.losses.map { LossFacts($0) } ?? []
    }
  }

  private struct ProblemFacts: Encodable {
    let code, message: String
    @OmittedIfNil var accepted: Bool?
  }

  private struct CauseRow: Encodable {
    let cause, pairs: Int
    let rows: Int?
    let code: String
    let accepted: String?
    let message: String
  }

  /// Returns the tables to print, in order. If there is only one table, its title is empty.
  func tables(for format: RowFormat) -> [(title: String, facts: Facts)] {
    switch format {
    case .json, .ndjson, .csv, .tsv:
      let columns =
        ["model", "from", "to", "result", "accepted"] + Self.counts
        + ["definitions", "losses", "problems"]
      return [("", .records(columns: columns, judgement.outcomes.map(record)))]
    case .table, .vertical, .markdown:
      let causes = judgement.causes
      let pairs = Facts.records(
        columns: ["model", "from", "to", "result"] + Self.counts
          + ["definitions", "losses", "causes"],
        judgement.outcomes.map { row(of: $0, causes) })
      guard !causes.isEmpty else { return [("", pairs)] }
      let columns = ["cause", "pairs", "rows", "code", "accepted", "message"]
      let list = causes.enumerated().map { index, cause in
        CauseRow(
          cause: index + 1, pairs: cause.outcomes.count,
          rows: cause.problem.rows == nil ? nil : cause.rows, code: cause.problem.code,
          accepted: cause.isAccepted ? "yes" : nil, message: cause.problem.causeText)
      }
      return [("causes", .records(columns: columns, list)), ("pairs", pairs)]
    }
  }

  private func record(of outcome: MigrationMatrix.Result) -> PairFacts {
    var facts = PairFacts(outcome)
    facts.accepted = judgement.accepts(outcome)
    facts.problems = outcome.result.problems.map { problem in
      let isAccepted = judgement.accepts(problem, of: outcome)
      return ProblemFacts(
        code: problem.code, message: problem.message, accepted: isAccepted ? true : nil)
    }
    return facts
  }

  private func row(
    of outcome: MigrationMatrix.Result, _ causes: [MatrixJudgement.Cause]
  ) -> PairFacts {
    var facts = PairFacts(outcome, suffix: judgement.accepts(outcome) ? ", accepted" : "")
    let numbers = outcome.result.problems.compactMap { problem in
      causes.firstIndex { $0.problem.cause == problem.cause }
    }
    facts.causes = Array(Set(numbers)).sorted().map { "\($0 + 1)" }
    return facts
  }

  /// Returns the summary, such as `2 models, 11 pairs: 9 proved, 1 conditional, 1 refused (accepted)`.
  func summary(models: Int) -> String {
    let outcomes = judgement.outcomes
    let verdicts: [PairTrial.Result.Verdict] = [.proved, .conditional, .same, .refused, .failed]
    let counts = verdicts.compactMap { verdict -> String? in
      let found = outcomes.filter { $0.result.verdict == verdict }
      guard !found.isEmpty else { return nil }
      let accepted = found.count { judgement.accepts($0) }
      let note =
        accepted == 0
        ? "" : accepted == found.count ? " (accepted)" : " (\(accepted) of them accepted)"
      return "\(found.count) \(verdict.rawValue)\(note)"
    }
    return "\(models.counted("model")), \(outcomes.count.counted("pair"))"
      + (counts.isEmpty ? ": no models have older versions" : ": " + counts.joined(separator: ", "))
  }
}
