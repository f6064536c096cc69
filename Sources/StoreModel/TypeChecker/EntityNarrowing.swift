import StorePredicate

/// The entities of rows, as limited by conditions on `entity`. As in Core Data, such a condition allows attributes of
/// sub-entities in the other members of a conjunction:
///
///     name == 'a' OR (entity IN {'Task', 'Errand'} AND effort > 3)
struct EntityNarrowing: Hashable, Sendable {
  /// The start of a key path.
  enum Base: Hashable, Sendable {
    case row
    case variable(String)

    /// Returns nil for other expressions, because conditions on their entities aren't used.
    init?(_ expression: FormatExpression) {
      switch expression.kind {
      case .selfObject: self = .row
      case .variable(let name): self = .variable(name)
      default: return nil
      }
    }
  }

  /// A row, identified by the relationships that lead to it.
  private struct Place: Hashable {
    var base: Base
    var steps: [String]
  }

  private var entities: [Place: Set<String>] = [:]

  /// Returns the narrowing within a conjunction. A member that is a condition on an entity limits the rows in all
  /// members: if it is false, the results of the others don't matter.
  func narrowed(by members: [FormatPredicate]) -> EntityNarrowing {
    var narrowed = self
    for member in members {
      switch member {
      case .comparison(let comparison): narrowed.add(comparison)
      case .and(let inner): narrowed = narrowed.narrowed(by: inner)
      case .constant, .or, .not: break
      }
    }
    return narrowed
  }

  /// Returns the narrowing inside of a SUBQUERY, whose variable hides an outer variable with the same name.
  func hiding(_ variable: String) -> EntityNarrowing {
    var visible = self
    visible.entities = entities.filter { $0.key.base != .variable(variable) }
    return visible
  }

  /// Returns the entity that declares a property, if the conditions limit the row to certain entities and all of these
  /// declare or inherit the same property. Otherwise returns nil.
  ///
  /// - Parameters:
  ///   - steps: The relationships from `base` to the row.
  ///   - base: The start of the key path.
  package func owner(
    of property: String, behind steps: [ResolvedKeyPath.Step], from base: Base, in model: DataModel
  ) -> EntityDescription? {
    let names = entities[Place(base: base, steps: steps.map(\.relationship))] ?? []
    let owners = names.map { name in
      model.entity(named: name).flatMap { model.property(named: property, of: $0)?.declaredBy }
    }
    guard let owner = owners.first, Set(owners.map { $0?.name }).count == 1 else { return nil }
    return owner
  }

  private mutating func add(_ comparison: FormatComparison) {
    guard comparison.modifier == .direct else { return }
    switch comparison.operator {
    case .equal:
      add(comparison.left, isOneOf: [comparison.right])
      add(comparison.right, isOneOf: [comparison.left])
    case .in:
      if case .list(let names) = comparison.right.kind { add(comparison.left, isOneOf: names) }
    default: break
    }
  }

  private mutating func add(_ expression: FormatExpression, isOneOf names: [FormatExpression]) {
    guard case .keyPath(let base, let steps) = expression.kind, let base = Base(base) else {
      return
    }
    var keys = steps.compactMap(\.key)
    guard keys.count == steps.count else { return }
    if keys.suffix(2) == ["entity", "name"] { keys.removeLast() }
    guard keys.popLast() == "entity" else { return }
    var found: Set<String> = []
    for name in names {
      guard case .constant(.string(let name)) = name.kind else { return }
      found.insert(name)
    }
    let place = Place(base: base, steps: keys)
    entities[place] = entities[place]?.intersection(found) ?? found
  }
}
