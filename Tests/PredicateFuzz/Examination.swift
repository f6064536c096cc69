import SQLiteAccess
import PredicateSQL
import StoreDiagnostics
import StoreModel
import StorePredicate

/// Runs all operations on one input: it is parsed, printed, checked with a model, evaluated in memory, and compiled to
/// SQL that SQLite must accept. The result must be a value or an error with a location. Everything else is a finding.
final class Examination {
  private let sample: SampleStore
  /// Whether the last input was a predicate.
  private(set) var wasPredicate = false
  /// The number of SELECT statements that SQLite has accepted.
  private(set) var statements = 0

  init() throws {
    sample = try SampleStore()
  }

  func close() { sample.remove() }

  /// Returns the failure, or nil.
  func finding(in text: String) -> String? {
    wasPredicate = false
    do throws(Finding) {
      try readExpressions(text)
      guard let predicate = try readPredicate(text) else { return nil }
      wasPredicate = true
      try writeAgain(predicate)
      try evaluate(predicate, text)
      guard let checked = try check(predicate, text) else { return nil }
      try compile(checked, text)
      return nil
    } catch {
      return error.description
    }
  }

  private struct Finding: Error {
    var description: String
    init(_ description: String) { self.description = description }
  }

  // MARK: Reading and writing

  private func readPredicate(_ text: String) throws(Finding) -> FormatPredicate? {
    if let predicate = try read(text, arguments: nil) { return predicate }
    // With placeholders, the text can be a predicate.
    if let filled = try read(text, arguments: ["title", 1]) { try writeAgain(filled) }
    return nil
  }

  private func read(
    _ text: String, arguments: [FormatArgument]?
  ) throws(Finding) -> FormatPredicate? {
    do throws(PredicateSyntaxError) {
      guard let arguments else { return try FormatPredicate(parsing: text) }
      return try FormatPredicate(parsing: text, arguments: arguments)
    } catch {
      try explain(error.diagnostic(in: PredicateText(text)), error.range, text)
      return nil
    }
  }

  private func readExpressions(_ text: String) throws(Finding) {
    do throws(PredicateSyntaxError) {
      _ = try FormatExpression(parsing: text)
    } catch {
      try explain(error.diagnostic(in: PredicateText(text)), error.range, text)
    }
    for style in [ListedExpression.Style.sort, .select] {
      do throws(PredicateSyntaxError) {
        _ = try FormatExpression.parseList(text, as: style)
      } catch {
        try explain(error.diagnostic(in: PredicateText(text)), error.range, text)
      }
    }
  }

  /// Checks that an error has a range inside the text and a message.
  private func explain(
    _ diagnostic: DiagnosticMessage, _ range: TextRange, _ text: String
  ) throws(Finding) {
    let isInside =
      range.lowerBound >= 0 && range.lowerBound <= range.upperBound
      && range.upperBound <= text.utf8.count
    guard isInside else { throw Finding("the place \(range.range) is outside of the text") }
    guard !DiagnosticRenderer().render(diagnostic).isEmpty else {
      throw Finding("a mistake without words")
    }
  }

  private func writeAgain(_ predicate: FormatPredicate) throws(Finding) {
    let written = predicate.format
    guard let back = try read(written, arguments: nil) else {
      throw Finding("written as \(written), it does not read")
    }
    guard back == predicate, back.hashValue == predicate.hashValue else {
      throw Finding("written as \(written), it reads as \(back.format)")
    }
    _ = PredicateOutline(predicate).lines.count
    _ = predicate.variables
  }

  // MARK: Meaning

  private func evaluate(_ predicate: FormatPredicate, _ text: String) throws(Finding) {
    for nulls in PredicateEvaluator.NullLogic.allCases {
      var evaluator = PredicateEvaluator(nulls: nulls, variables: SampleItem.variables)
      do throws(EvaluationError) {
        _ = try evaluator.matches(predicate, .object(SampleItem()))
      } catch {
        try explain(error.diagnostic(in: PredicateText(text)), error.range, text)
      }
    }
  }

  private func check(_ predicate: FormatPredicate, _ text: String) throws(Finding)
    -> CheckedPredicate?
  {
    let checker = PredicateChecker(model: SampleStore.model, entity: "Item")
    do throws(CheckErrors) {
      return try checker.check(predicate, in: PredicateText(text))
    } catch {
      for mistake in error.errors {
        try explain(mistake.diagnostic, mistake.range, text)
      }
      return nil
    }
  }

  /// Returns the predicate with a value of the right type for each variable.
  private func compile(_ checked: CheckedPredicate, _ text: String) throws(Finding) {
    let bindings = Dictionary(
      checked.variables.map { ($0.name, SampleStore.value(of: $0.type)) },
      uniquingKeysWith: { first, _ in first })
    let request = StoreFetchRequest(
      entity: "Item", predicate: checked.predicate.substituting(bindings), result: .objectIDs)
    let query: CompiledQuery
    do throws(CheckErrors) {
      query = try request.sql(in: sample.layout)
    } catch {
      for mistake in error.errors {
        try explain(mistake.diagnostic, mistake.range, text)
      }
      return
    }
    do {
      try sample.run(query)
      statements += 1
    } catch DatabaseError.tooComplex {
      return
    } catch {
      throw Finding("SQLite does not take \(query.sql.rendered().text.prefix(2_000)): \(error)")
    }
  }
}
