import StoreLayout
import SQLiteAccess
import StoreModel
import StorePredicate

extension FetchCompiler {
  /// The concrete entities whose rows are wanted.
  var wanted: [Int64] {
    let numbers = request.includesSubentities ? entity.subtree : [entity.number]
    return numbers.filter { compiler.layout.entity(numbered: $0)?.isAbstract == false }
  }

  /// The one entity that all rows are of, if there is just one.
  package var onlyEntity: String? {
    guard wanted.count == 1 else { return nil }
    return compiler.layout.entity(numbered: wanted[0])?.name
  }

  /// A test of `Z_ENT`, where the table holds rows that are not wanted.
  ///
  /// SQLite knows nothing of how many rows an entity has and would search the index on `Z_ENT` rather
  /// than a better one, then sort what it found by key. The plus keeps it from that where several
  /// entities are wanted, which are mostly the bulk of the table, and where the predicate has an
  /// index of its own: https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_
  var entityRestriction: SQL? {
    let all = compiler.layout.entities.filter { $0.table == entity.table && !$0.isAbstract }
    guard wanted.count < all.count || wanted.isEmpty else { return nil }
    guard !wanted.isEmpty, let number = compiler.root.number else { return "0" }
    let hasBetter =
      wanted.count > 1 || request.membership != nil
      || request.predicate.map(searchesIndex) == true
    return PredicateCompiler.isOne(of: wanted, hasBetter ? "+\(number)" : number)
  }

  /// The predicate can only be true for a few rows, which their keys or an index of the model finds.
  func findsFewRows(_ predicate: TypedPredicate) -> Bool {
    switch predicate {
    case .and(let members): members.contains(where: findsFewRows)
    case .comparison(let comparison):
      switch comparison.operator {
      case .equal: comparison.left.kind == .selfObject || searchesIndex(comparison)
      case .in: comparison.left.kind == .selfObject
      default: false
      }
    case .constant, .or, .not: false
    }
  }

  /// The predicate can only be true for rows that an index of the model finds.
  private func searchesIndex(_ predicate: TypedPredicate) -> Bool {
    switch predicate {
    case .and(let members): members.contains(where: searchesIndex)
    case .comparison(let comparison): searchesIndex(comparison)
    case .constant, .or, .not: false
    }
  }

  private func searchesIndex(_ comparison: TypedComparison) -> Bool {
    guard comparison.modifier == .direct, comparison.options.folding == nil,
      case .keyPath(let base, let keys, _) = comparison.left.kind, base.kind == .selfObject,
      keys.count == 1, case .key(let key)? = keys.first?.kind,
      let column = entity.attributes[key]?.column ?? entity.toOne[key]?.column,
      // Most rows of a shared table are NULL in a sub-entity's column.
      comparison.right.constant != .null
    else { return false }
    switch comparison.operator {
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in, .beginsWith: break
    case .notEqual, .contains, .endsWith, .like, .matches: return false
    }
    let indexes = compiler.layout.table(named: entity.table)?.indexes ?? []
    return indexes.contains { $0.columns.first?.name == column && $0.condition == nil }
  }
}
