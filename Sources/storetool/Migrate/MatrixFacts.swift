import RecordFormats
import StoreDiagnostics
import StoreMigration

/// The facts of `migrate matrix`: for programs a record for each pair of versions with all that is known of it; for
/// people each cause once, then the pairs.
struct MatrixFacts {
  private let judgement: MatrixJudgement

  init(_ judgement: MatrixJudgement) {
    self.judgement = judgement
  }

  private static let counts = ["rows", "rowsProved", "valuesProved", "pairsProved"]

  /// One after the other.
  func tables(for format: RowFormat) -> [(title: String, facts: Facts)] {
    switch format {
    case .json, .ndjson, .csv, .tsv:
      let columns =
        ["model", "from", "to", "result", "accepted"] + Self.counts
        + ["definitions", "losses", "problems"]
      return [("", .records(columns: columns, judgement.outcomes.map { record(of: $0).value }))]
    case .table, .vertical, .markdown:
      let causes = judgement.causes
      let pairs = Facts.records(
        columns: ["model", "from", "to", "result"] + Self.counts
          + ["definitions", "losses", "causes"],
        judgement.outcomes.map { row(of: $0, causes).value })
      guard !causes.isEmpty else { return [("", pairs)] }
      let list = causes.enumerated().map { row(of: $1, number: $0 + 1).value }
      let columns = ["cause", "pairs", "rows", "code", "accepted", "message"]
      return [("causes", .records(columns: columns, list)), ("pairs", pairs)]
    }
  }

  private func record(of outcome: MigrationMatrix.Result) -> FactObject {
    var object = start(of: outcome, result: outcome.result.verdict.rawValue)
    object.add("accepted", judgement.accepts(outcome))
    addCounts(of: outcome, to: &object)
    object.add("losses", outcome.result.report?.losses.map(MigrationFacts.facts) ?? [])
    object.add(
      "problems",
      outcome.result.problems.map { problem in
        var object = FactObject()
        object.add("code", problem.code)
        object.add("message", problem.message)
        if judgement.accepts(problem, of: outcome) { object.add("accepted", true) }
        return object
      })
    return object
  }

  private func row(
    of outcome: MigrationMatrix.Result, _ causes: [MatrixJudgement.Cause]
  ) -> FactObject {
    let result = outcome.result.verdict.rawValue
    var object = start(
      of: outcome, result: judgement.accepts(outcome) ? "\(result), accepted" : result)
    addCounts(of: outcome, to: &object)
    object.add("losses", outcome.result.report?.losses.map(MigrationFacts.facts) ?? [])
    let numbers = outcome.result.problems.compactMap { problem in
      causes.firstIndex { $0.problem.cause == problem.cause }
    }
    object.add("causes", Array(Set(numbers)).sorted().map { "\($0 + 1)" })
    return object
  }

  private func row(of cause: MatrixJudgement.Cause, number: Int) -> FactObject {
    var object = FactObject()
    object.add("cause", number)
    object.add("pairs", cause.outcomes.count)
    object.add("rows", cause.problem.rows == nil ? nil : cause.rows)
    object.add("code", cause.problem.code)
    object.add("accepted", cause.isAccepted ? "yes" : nil)
    object.add("message", cause.problem.causeText)
    return object
  }

  private func start(of outcome: MigrationMatrix.Result, result: String) -> FactObject {
    var object = FactObject()
    object.add("model", outcome.model)
    object.add("from", outcome.from)
    object.add("to", outcome.to)
    object.add("result", result)
    return object
  }

  private func addCounts(of outcome: MigrationMatrix.Result, to object: inout FactObject) {
    let report = outcome.result.report
    object.add("rows", outcome.result.rows)
    object.add("rowsProved", report?.rowsProved)
    object.add("valuesProved", report?.valuesProved)
    object.add("pairsProved", report?.pairsProved)
    object.add("definitions", outcome.definitions.map { "\($0)" })
  }

  /// `2 models, 11 pairs: 9 proved, 1 conditional, 1 refused (accepted)`
  func summary(models: Int) -> String {
    func count(_ number: Int, _ noun: String) -> String {
      "\(number) \(noun.plural(number))"
    }
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
    return "\(count(models, "model")), \(count(outcomes.count, "pair"))"
      + (counts.isEmpty ? ": no model has an older version" : ": " + counts.joined(separator: ", "))
  }
}
