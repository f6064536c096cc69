package import StoreDiagnostics
import StoreModel
import StorePredicate

extension ModelReading {
  /// What is wrong with the conditions of partial fetch indexes and with the expressions that indexes are over: text that is
  /// no predicate, names that the model does not have, values that can't be compared.
  ///
  /// None of it keeps a store from being read: such an index is left out.
  package var indexFindings: [Diagnostic] {
    syntax.entities.flatMap { entity in
      let checker = PredicateChecker(model: model, entity: entity.name.text)
      return entity.indexes.flatMap { index in
        (index.condition.map { findings(inCondition: $0, checker) } ?? [])
          + index.expressions.flatMap { findings(inExpression: $0, checker) }
      }
    }
  }

  private func findings(
    inCondition text: PredicateText, _ checker: PredicateChecker
  ) -> [Diagnostic] {
    do throws(PredicateError) {
      let predicate = try Predicate(parsing: text.text)
      return findings { () throws(CheckFailure) in
        try checker.check(indexCondition: predicate, in: text)
      }
    } catch {
      return [error.diagnostic(in: text)]
    }
  }

  private func findings(
    inExpression text: PredicateText, _ checker: PredicateChecker
  ) -> [Diagnostic] {
    do throws(PredicateError) {
      let expression = try Expression(parsing: text.text)
      return findings { () throws(CheckFailure) in
        try checker.check(indexed: expression, in: text)
      }
    } catch {
      return [error.diagnostic(in: text)]
    }
  }

  private func findings(_ check: () throws(CheckFailure) -> Void) -> [Diagnostic] {
    do throws(CheckFailure) {
      try check()
      return []
    } catch {
      return error.diagnostics
    }
  }
}
