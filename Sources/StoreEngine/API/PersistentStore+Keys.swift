import StoreLayout
public import StoreModel
import StorePredicate

extension PersistentStore {
  /// Whether a query has any row. It looks for no second one.
  ///
  ///     if try await store.exists(Item.all.where(\.done == false)) { … }
  ///
  /// - Throws: as `fetch`.
  public func exists<Object: StoredObject>(_ query: TypedQuery<Object>) async throws -> Bool {
    try await fetch(query.anyCount) > 0
  }

  /// The row with the values of a unique key, nil where the store has none.
  ///
  ///     let tigers = try await store.find(Team.self, by: \.name == "Tigers")
  ///     let order = try await store.find(Order.self, by: \.region == "north" && \.number == 7)
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - condition: values of all properties of a uniqueness constraint of the entity, or of one that it inherits
  ///     from; of others beside them, if that is wanted.
  /// - Throws: as `fetch`; `invalidRequest` where several rows could match.
  @inlinable
  public func find<Object: StoredObject>(
    _ type: Object.Type, by condition: Condition<Object>
  ) async throws -> Stored<Object>? {
    try requireUnique(condition)
    return try await first(Object.all.where(condition))
  }

  /// - Throws: `StoreError`
  @usableFromInline
  func requireUnique<Object: StoredObject>(_ condition: Condition<Object>) throws {
    let entity = layout.model.entity(named: Object.entityName)
    let owners = entity.map { [$0] + layout.model.ancestors(of: $0) } ?? []
    let constraints = owners.flatMap(\.uniquenessConstraints)
    let given = condition.predicate.givenProperties
    guard constraints.contains(where: { !$0.isEmpty && given.isSuperset(of: $0) }) else {
      throw ObjectRequestError.notUnique(
        given.sorted(), entity: Object.entityName, constraints: constraints
      ).failure
    }
  }
}

extension StoreSnapshot {
  /// Whether a query has any row.
  ///
  /// - Throws: as `fetch`.
  public func exists<Object: StoredObject>(_ query: TypedQuery<Object>) throws -> Bool {
    try fetch(query.anyCount) > 0
  }

  /// The row with the values of a unique key, nil where the store has none.
  ///
  /// - Throws: as `PersistentStore.find`.
  @inlinable
  public func find<Object: StoredObject>(
    _: Object.Type, by condition: Condition<Object>
  ) throws -> Stored<Object>? {
    try requireUnique(condition)
    return try first(Object.all.where(condition))
  }

  @usableFromInline
  func requireUnique<Object: StoredObject>(_ condition: Condition<Object>) throws {
    try owner.requireUnique(condition)
  }
}

extension TypedQuery {
  /// 1 or 0.
  fileprivate var anyCount: CountRequest<Object> { limit(min(base.limit ?? 1, 1)).count }
}

extension FormatPredicate {
  /// The row's own properties that must have a certain value, none of them nil: several rows may have no value.
  fileprivate var givenProperties: Set<String> {
    switch self {
    case .and(let members): members.reduce(into: []) { $0.formUnion($1.givenProperties) }
    case .comparison(let comparison): comparison.givenProperty.map { [$0] } ?? []
    default: []
    }
  }
}

extension Comparison {
  fileprivate var givenProperty: String? {
    guard modifier == .direct, self.operator == .equal, options.isEmpty,
      case .keyPath(let base, let steps) = left.kind, base.kind == .selfObject,
      case .constant(let value) = right.kind, value != .null
    else { return nil }
    let names = steps.compactMap { step -> String? in
      if case .key(let name) = step.kind { name } else { nil }
    }
    return names.count == steps.count ? names.joined(separator: ".") : nil
  }
}
