package import StoreLayout
import StorePredicate

extension Expression {
  /// Needs nothing but the row's own columns, which SQLite reads before it writes them.
  package func readsAttributes(of place: EntityLayout) -> Bool {
    var isOwn = true
    _ = rewriting { (part: Expression) -> Expression? in
      switch part.kind {
      case .keyPath(let base, let keys):
        guard base.kind == .selfObject, keys.count == 1, case .key(let name)? = keys.first?.kind,
          place.attributes[name] != nil
        else {
          isOwn = false
          return part
        }
        return part
      case .subquery:
        isOwn = false
        return part
      default: return nil
      }
    }
    return isOwn
  }
}
