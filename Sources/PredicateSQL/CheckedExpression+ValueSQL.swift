package import StoreLayout
package import SQLiteAccess
package import StoreModel
package import StorePredicate

extension CheckedExpression {
  /// The SQL that computes a value for a row that does not exist yet.
  ///
  /// - Parameter text: what the expression was parsed from, for the places in the errors.
  /// - Throws: `CheckErrors`, also for a key path: the row has no values that it could lead to.
  package func valueSQL(
    forNew entity: String, in layout: StoreLayout, text: PredicateText
  ) throws(CheckErrors) -> SQL {
    guard let place = layout.entity(named: entity) else {
      throw CheckErrors([CheckError(.unknownEntity(entity, known: layout.entities.map(\.name)))])
    }
    if let range = typed.rangeOfRow {
      throw CheckErrors([CheckError(.noRowYet, at: range)], in: text)
    }
    do throws(CheckError) {
      var compiler = PredicateCompiler(layout: layout, entity: place, storeUUID: nil)
      return try compiler.value(typed)
    } catch {
      throw CheckErrors([error], in: text)
    }
  }
}

extension TypedExpression {
  /// Where the row is mentioned first; nil when the value does not depend on it.
  fileprivate var rangeOfRow: TextRange? {
    switch kind {
    case .selfObject: range
    case .keyPath(let base, _, _) where base.kind == .selfObject: range
    default: parts.lazy.compactMap(\.rangeOfRow).first
    }
  }
}
