import RecordFormats
import StoreDiagnostics
import StoreMigration

/// The facts of `migrate matrix`: a record for each pair of versions.
enum MatrixFacts {
  static func facts(of outcomes: [MigrationMatrix.Outcome]) -> Facts {
    .records(
      columns: [
        "model", "from", "to", "result", "rows", "rowsProved", "valuesProved", "pairsProved",
        "definitions", "losses", "problems",
      ], outcomes.map(record))
  }

  private static func record(of outcome: MigrationMatrix.Outcome) -> JSONValue {
    let (result, report) = (outcome.result, outcome.result.report)
    var object = FactObject()
    object.add("model", outcome.model)
    object.add("from", outcome.from)
    object.add("to", outcome.to)
    object.add("result", result.verdict.rawValue)
    object.add("rows", result.rows)
    object.add("rowsProved", report?.rowsProved)
    object.add("valuesProved", report?.valuesProved)
    object.add("pairsProved", report?.pairsProved)
    object.add("definitions", outcome.definitions)
    object.add("losses", report?.losses.map(MigrationFacts.facts) ?? [])
    object.add("problems", result.problems.map(facts))
    return object.value
  }

  private static func facts(of problem: Diagnostic) -> FactObject {
    var object = FactObject()
    object.add("code", problem.code)
    object.add("message", (problem.place.map { "\($0): " } ?? "") + problem.message)
    return object
  }

  /// `2 models, 11 pairs: 9 proved, 1 conditional, 1 refused`
  static func summary(of outcomes: [MigrationMatrix.Outcome], models: Int) -> String {
    func count(_ number: Int, _ noun: String) -> String {
      "\(number) \(noun.plural(number))"
    }
    let verdicts: [PairTrial.Result.Verdict] = [.proved, .conditional, .same, .refused, .failed]
    let counts = verdicts.compactMap { verdict -> String? in
      let number = outcomes.count { $0.result.verdict == verdict }
      return number > 0 ? "\(number) \(verdict.rawValue)" : nil
    }
    return "\(count(models, "model")), \(count(outcomes.count, "pair"))"
      + (counts.isEmpty ? ": no model has an older version" : ": " + counts.joined(separator: ", "))
  }
}
