package import StoreLayout
package import StoreSQL
package import StoreModel
package import StorePredicate

extension Expression {
  /// The SQL that computes a value for a row that does not exist yet.
  ///
  /// - Throws: `CheckFailure`, also for a key path: the row has no values that it could lead to.
  package func valueSQL(
    as type: ValueType, forNew entity: String, in layout: StoreLayout, text: PredicateText
  ) throws(CheckFailure) -> SQL {
    let checked = try PredicateChecker(model: layout.model, entity: entity)
      .check(self, as: type, in: text)
    guard let place = layout.entity(named: entity) else {
      throw CheckFailure([CheckError(.unknownEntity(entity, known: layout.entities.map(\.name)))])
    }
    if let range = checked.expression.rangeOfRow {
      throw CheckFailure([CheckError(.noRowYet, at: range)], in: text)
    }
    do throws(CheckError) {
      var compiler = PredicateCompiler(layout: layout, entity: place, storeUUID: nil)
      return try compiler.value(checked.expression)
    } catch {
      throw CheckFailure([error], in: text)
    }
  }
}

extension Expression {
  /// Where the row is mentioned first; nil when the value does not depend on it.
  fileprivate var rangeOfRow: TextRange? {
    var found: TextRange?
    _ = rewriting { (part: Expression) -> Expression? in
      guard found == nil else { return part }
      if case .keyPath(let base, _) = part.kind, base.kind == .selfObject { found = part.range }
      if part.kind == .selfObject { found = part.range }
      return found == nil ? nil : part
    }
    return found
  }
}
