package import StoreDiagnostics
import StoreModel

extension ModelReading {
  /// What is wrong with the expressions of derived attributes, given the model: names that it does not
  /// have, operators where they fold nothing, values of another type.
  ///
  /// None of it keeps a store from being read, so the model is there nonetheless.
  package var derivationFindings: [Diagnostic] {
    syntax.entities.flatMap { entity in
      let checker = PredicateChecker(model: model, entity: entity.name.text)
      return entity.attributes.flatMap { attribute -> [Diagnostic] in
        guard let derivation = attribute.attribute.derivation else { return [] }
        do throws(CheckFailure) {
          try checker.check(
            derivation: derivation, as: attribute.attribute.type, in: attribute.derivation)
          return []
        } catch {
          return error.diagnostics
        }
      }
    }
  }
}
