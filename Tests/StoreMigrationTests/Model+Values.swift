import StoreModel
import StorePredicate

extension Model {
  /// What a definition's value for an attribute is checked to be.
  func value(
    _ text: String, of entity: String, as type: AttributeType
  ) throws -> TypedExpression {
    try PredicateChecker(model: self, entity: entity)
      .check(FormatExpression(parsing: text), as: .attribute(type)).typed
  }
}
