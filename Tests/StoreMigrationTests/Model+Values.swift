import StoreModel
import StorePredicate

extension DataModel {
  /// Returns the typed expression of a definition's value for an attribute.
  func value(
    _ text: String, of entity: String, as type: AttributeType
  ) throws -> TypedExpression {
    try PredicateChecker(model: self, entity: entity)
      .check(FormatExpression(parsing: text), as: .attribute(type)).typed
  }
}
