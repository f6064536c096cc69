package import StoreLayout
import StoreModel
import StorePredicate

extension TypedExpression {
  /// Needs nothing but the row's own columns, which SQLite reads before it writes them.
  package func readsAttributes(of place: EntityLayout) -> Bool {
    switch kind {
    case .keyPath(let base, let keys, _):
      guard base.kind == .selfObject, keys.count == 1, case .key(let name)? = keys.first?.kind
      else { return false }
      return place.attributes[name] != nil
    case .untypedKeyPath, .subquery: return false
    default: return parts.allSatisfy { $0.readsAttributes(of: place) }
    }
  }
}
