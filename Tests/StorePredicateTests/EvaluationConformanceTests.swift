import StorePredicate
import TestSupport
import Testing

/// Every case of the corpus with rows, evaluated in memory with both kinds of NULL logic.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct EvaluationConformanceTests {
  /// Cases that differ intentionally, in memory and in SQL's logic.
  private static let differences: [String: String] = [
    "cappuccino-019": "a key named by a variable, which Apple's grammar does not have",
    "libs-base-023": "an argument without a placeholder is refused; Apple ignores it",
    "foundation-017": "an argument without a placeholder is refused; Apple ignores it",
  ]

  /// Cases that only differ in SQL's logic.
  private static let storeDifferences: [String: String] = [
    "libs-base-035": "SQLite orders text behind numbers, where Foundation raises an exception"
  ]

  @Test(arguments: PredicateEvaluator.NullLogic.allCases)
  func casesGiveTheExpectedRows(nulls: PredicateEvaluator.NullLogic) throws {
    let datasets = try Dataset.all()
    let cases = try ConformanceCase.all().filter { $0.kind == .eval }
    #expect(cases.count > 600)
    var failed: [String: String] = [:]
    for test in cases {
      let dataset = try #require(test.dataset.flatMap { datasets[$0] })
      if let failure = failure(of: test, in: dataset, nulls) { failed[test.id] = failure }
    }
    let differences =
      Self.differences.merging(nulls == .sql ? Self.storeDifferences : [:]) { first, _ in first }
    for id in Set(failed.keys).symmetricDifference(differences.keys).sorted() {
      Issue.record("\(id): \(failed[id] ?? "does not differ")")
    }
    #expect(differences.count * 100 < cases.count * 3)
  }

  /// Returns the difference from the expected result, or nil.
  private func failure(
    of test: ConformanceCase, in dataset: Dataset, _ nulls: PredicateEvaluator.NullLogic
  ) -> String? {
    let other = nulls == .sql ? test.expectedSql : test.expectedInmemory
    let text = "\(test.predicate) \(test.args ?? [])"
    do {
      let predicate = try test.parse(in: dataset)
      var evaluator = PredicateEvaluator(
        nulls: nulls, variables: (test.variables ?? [:]).mapValues(dataset.value))
      var found: [String] = []
      for (id, object) in dataset.objects(of: test.entity ?? "") {
        if try evaluator.matches(predicate, object) { found.append(id) }
      }
      switch other ?? test.expected {
      case .rows(let rows) where Set(rows) == Set(found): return nil
      case .rows(let rows): return "\(text): expected \(rows), found \(found)"
      case .status(let status): return "\(text): expected \(status), found \(found)"
      }
    } catch {
      if case .status("eval_error") = other ?? test.expected, error is EvaluationError {
        return nil
      }
      return "\(text): \(error)"
    }
  }
}
