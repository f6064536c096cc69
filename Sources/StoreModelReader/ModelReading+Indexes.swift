package import StoreDiagnostics
import StoreModel
import StorePredicate

extension ModelReading {
  /// What is wrong with the conditions of partial fetch indexes and with the expressions that indexes are over: text that is
  /// no predicate, names that the model does not have, values that can't be compared.
  ///
  /// None of it keeps a store from being read: such an index is left out.
  package var indexFindings: [Diagnostic] {
    indexTexts.flatMap { texts in
      let checker = PredicateChecker(model: model, entity: texts.entity)
      return (texts.condition.map { findings(inCondition: $0, checker) } ?? [])
        + texts.expressions.flatMap { findings(inExpression: $0, checker) }
    }
  }

  private struct IndexTexts {
    var entity: String
    var condition: PredicateText?
    var expressions: [PredicateText]
  }

  /// In the order of the file.
  private var indexTexts: [IndexTexts] {
    guard let xml else {
      return model.entities.flatMap { entity in
        entity.indexes.map { index in
          func text(_ text: String) -> PredicateText {
            PredicateText(text, context: "in index '\(entity.name).\(index.name)'")
          }
          return IndexTexts(
            entity: entity.name, condition: index.partialPredicate.map(text),
            expressions: index.elements.compactMap { element in
              if case .expression(let expression, _) = element.target {
                text(expression)
              } else {
                nil
              }
            })
        }
      }
    }
    return xml.syntax.entities.flatMap { entity in
      entity.indexes.map {
        IndexTexts(
          entity: entity.name.text, condition: $0.condition, expressions: $0.expressions)
      }
    }
  }

  private func findings(
    inCondition text: PredicateText, _ checker: PredicateChecker
  ) -> [Diagnostic] {
    do throws(PredicateSyntaxError) {
      let predicate = try FormatPredicate(parsing: text.text)
      return findings { () throws(CheckErrors) in
        try checker.check(indexCondition: predicate, in: text)
      }
    } catch {
      return [error.diagnostic(in: text)]
    }
  }

  private func findings(
    inExpression text: PredicateText, _ checker: PredicateChecker
  ) -> [Diagnostic] {
    do throws(PredicateSyntaxError) {
      let expression = try FormatExpression(parsing: text.text)
      return findings { () throws(CheckErrors) in
        try checker.check(indexed: expression, in: text)
      }
    } catch {
      return [error.diagnostic(in: text)]
    }
  }

  private func findings(_ check: () throws(CheckErrors) -> Void) -> [Diagnostic] {
    do throws(CheckErrors) {
      try check()
      return []
    } catch {
      return error.diagnostics
    }
  }
}
