import StoreModel
package import StorePredicate

/// What a derived attribute is computed from, in the two forms that known stores show.
package enum Derivation: Hashable {
  /// `pages.@count`
  case count(relationship: String)
  /// `lastMessage.createdAt`
  case value(relationship: String, attribute: String)

  package init?(_ expression: Expression) {
    switch expression.kind {
    case .keyPath(let base, let steps) where base.kind == .selfObject && steps.count == 2:
      guard case .key(let relationship) = steps[0].kind else { return nil }
      switch steps[1].kind {
      case .collection(.count): self = .count(relationship: relationship)
      case .key(let attribute): self = .value(relationship: relationship, attribute: attribute)
      case .collection: return nil
      }
    case .function(.count, let arguments) where arguments.count == 1:
      guard case .keyPath(let base, let steps) = arguments[0].kind, base.kind == .selfObject,
        steps.count == 1, case .key(let relationship) = steps[0].kind
      else { return nil }
      self = .count(relationship: relationship)
    default: return nil
    }
  }
}
