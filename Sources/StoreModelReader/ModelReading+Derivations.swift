package import StoreDiagnostics
import StoreModel
import StorePredicate

extension ModelReading {
  /// What is wrong with the expressions of derived attributes, given the model: names that it does not
  /// have, operators where they fold nothing, values of another type.
  ///
  /// None of it keeps a store from being read, so the model is there nonetheless.
  package var derivationFindings: [Diagnostic] {
    derivations.flatMap { derived -> [Diagnostic] in
      let checker = PredicateChecker(model: model, entity: derived.entity)
      do throws(CheckErrors) {
        try checker.check(
          derivation: derived.expression, as: derived.type, in: derived.text)
        return derived.warning.map { [$0] } ?? []
      } catch {
        return error.diagnostics
      }
    }
  }

  private struct Derived {
    var entity: String
    var type: AttributeType
    var expression: FormatExpression
    var text: PredicateText

    /// What Core Data may not compute.
    var warning: Diagnostic? {
      guard Derivation(expression) != nil else {
        return text.locate(
          Diagnostic(
            .warning, "model.derivation-form",
            "Apple documents no such derivation, and the attribute stays empty"
          ).helping(
            "derive it from an attribute of the entity or of a to-one, from canonical:, uppercase: or"
              + " lowercase: of one, from @count or @sum over a to-many, or from now()"),
          at: expression.range.range)
      }
      guard let operation = expression.foldInTheMiddle else { return nil }
      return text.locate(
        Diagnostic(
          .warning, "model.derivation-operator",
          "Core Data is reported to refuse an operator that isn't the last part of a derivation"
        ).helping("put it last, as in 'items.price.@sum'"), at: operation.range)
    }
  }

  /// In the order of the file.
  private var derivations: [Derived] {
    guard let xml else {
      return model.entities.flatMap { entity in
        entity.attributes.compactMap { attribute in
          attribute.derivation.map { expression in
            Derived(
              entity: entity.name, type: attribute.type, expression: expression,
              text: PredicateText(
                expression.description,
                context: "in derived attribute '\(entity.name).\(attribute.name)'"))
          }
        }
      }
    }
    return xml.syntax.entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        guard let expression = attribute.attribute.derivation, let text = attribute.derivation
        else { return nil }
        return Derived(
          entity: entity.name.text, type: attribute.attribute.type, expression: expression,
          text: text)
      }
    }
  }
}
