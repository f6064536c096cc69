import StorePredicate

/// What the conditions around a key path say of the entities of its rows. Beside `entity == 'Task'` an attribute
/// that tasks alone have may be named, as Core Data allows:
///
///     name == 'a' OR (entity IN {'Task', 'Errand'} AND effort > 3)
struct EntityNarrowing: Hashable, Sendable {
  /// What a key path begins at.
  enum Base: Hashable, Sendable {
    case row
    case variable(String)

    /// Nil for an expression that no two key paths have in common.
    init?(_ expression: FormatExpression) {
      switch expression.kind {
      case .selfObject: self = .row
      case .variable(let name): self = .variable(name)
      default: return nil
      }
    }
  }

  /// A row by the relationships that lead to it.
  private struct Place: Hashable {
    var base: Base
    var steps: [String]
  }

  private var entities: [Place: Set<String>] = [:]

  init() {}

  /// With what a conjunction says: where one of its members is false, what the others say does not count.
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

  /// Inside of a SUBQUERY with that variable: another one of its name is hidden.
  func hiding(_ variable: String) -> EntityNarrowing {
    var visible = self
    visible.entities = entities.filter { $0.key.base != .variable(variable) }
    return visible
  }

  /// The entity that has a property at a place, where its own entity does not: one that declares it for all
  /// the entities that are possible there.
  package func owner(
    of property: String, behind steps: [ResolvedKeyPath.Step], from base: Base, in model: Model
  ) -> Entity? {
    let names = entities[Place(base: base, steps: steps.map(\.relationship))] ?? []
    let owners = names.map { name in
      model.entity(named: name).flatMap { model.property(named: property, of: $0)?.declaredBy }
    }
    guard let owner = owners.first, Set(owners.map { $0?.name }).count == 1 else { return nil }
    return owner
  }

  private mutating func add(_ comparison: Comparison) {
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
