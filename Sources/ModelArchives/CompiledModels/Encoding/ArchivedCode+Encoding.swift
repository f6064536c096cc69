import StoreModel
import StorePredicate

/// From what a model says to the number that stands for it.
extension ArchivedCode {
  /// `FIRST` and its like between the brackets of `a[FIRST]`.
  static let symbolicExpression: Int64 = 11

  static func code(of type: AttributeType) -> Int64 {
    if case .composite = type { return composite }
    return attributeTypes.first { $0.type == type }?.code ?? 0
  }

  static func code(of rule: Relationship.DeleteRule) -> Int64 {
    deleteRules.first { $0.rule == rule }?.code ?? 0
  }

  static func code(of kind: FetchIndex.Element.Kind) -> Int64 {
    indexKinds.first { $0.kind == kind }?.code ?? 0
  }

  static func code(of symbol: Comparison.Operator) -> Int64 {
    operators.first { $0.operator == symbol }?.code ?? 0
  }

  static func code(of modifier: Comparison.Modifier) -> Int64 {
    modifiers.first { $0.modifier == modifier }?.code ?? 0
  }

  static func code(of type: ArchivedExpressionType) -> Int64 {
    expressionTypes.first { $0.type == type }?.code ?? 0
  }
}
