import StoreLayout
public import StoreModel
import StorePredicate

extension PersistentStore {
  /// Returns whether a query has at least one row. Reads at most one row.
  ///
  ///     if try await store.exists(Item.all.where(\.done == false)) { … }
  ///
  /// - Parameter query: the query.
  /// - Returns: `true` if the query has a row.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  public func exists<Object: StoredObject>(_ query: TypedQuery<Object>) async throws -> Bool {
    try await fetch(query.anyCount) > 0
  }

  /// Returns the row with the values of a unique key, or `nil` if it doesn't exist.
  ///
  ///     let tigers = try await store.find(Team.self, by: \.name == "Tigers")
  ///     let order = try await store.find(Order.self, by: \.region == "north" && \.number == 7)
  ///
  /// - Parameters:
  ///   - type: the type of the rows.
  ///   - condition: a condition that compares each property of a uniqueness constraint with a value. The entity can
  ///     inherit the constraint. The condition may contain other properties too.
  /// - Returns: the row.
  /// - Throws: `StoreError` with the reason `invalidRequest` if several rows can match the condition, `invalidData` if
  ///   a row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func find<Object: StoredObject>(
    _ type: Object.Type, by condition: TypedCondition<Object>
  ) async throws -> Stored<Object>? {
    try requireUnique(condition)
    return try await first(Object.all.where(condition))
  }

  /// - Throws: `StoreError` if several rows can match `condition`.
  @usableFromInline
  func requireUnique<Object: StoredObject>(_ condition: TypedCondition<Object>) throws {
    let entity = layout.model.entity(named: Object.entityName)
    let owners = entity.map { [$0] + layout.model.ancestors(of: $0) } ?? []
    let constraints = owners.flatMap(\.uniquenessConstraints)
    let given = condition.predicate.givenProperties
    guard constraints.contains(where: { !$0.isEmpty && given.isSuperset(of: $0) }) else {
      throw StoreError.notUnique(
        given.sorted(), entity: Object.entityName, constraints: constraints
      )
    }
  }
}

extension StoreSnapshot {
  /// Returns whether a query has at least one row.
  ///
  /// - Parameter query: the query.
  /// - Returns: `true` if the query has a row.
  /// - Throws: `StoreError` with the reason `invalidRequest` if the request doesn't fit the model, `locked`, or
  ///   `inputOutput`; `CancellationError`.
  public func exists<Object: StoredObject>(_ query: TypedQuery<Object>) throws -> Bool {
    try fetch(query.anyCount) > 0
  }

  /// Returns the row with the values of a unique key, or `nil` if it doesn't exist.
  ///
  /// - Parameters:
  ///   - type: the type of the row.
  ///   - condition: a condition that compares each property of a uniqueness constraint with a value.
  /// - Returns: the row.
  /// - Throws: `StoreError` with the reason `invalidRequest` if several rows can match the condition, `invalidData` if
  ///   a row contains a value that its Swift type can't represent, `locked`, or `inputOutput`; `CancellationError`.
  @inlinable
  public func find<Object: StoredObject>(
    _ type: Object.Type, by condition: TypedCondition<Object>
  ) throws -> Stored<Object>? {
    try requireUnique(condition)
    return try first(Object.all.where(condition))
  }

  @usableFromInline
  func requireUnique<Object: StoredObject>(_ condition: TypedCondition<Object>) throws {
    try owner.requireUnique(condition)
  }
}

extension TypedQuery {
  /// Counts at most one row.
  fileprivate var anyCount: CountRequest<Object> { limit(min(base.limit ?? 1, 1)).count }
}

extension FormatPredicate {
  /// The names of the row's own properties that the predicate requires to equal a value. A comparison with NULL doesn't
  /// count, because several rows can contain NULL in a unique property.
  fileprivate var givenProperties: Set<String> {
    switch self {
    case .and(let members): members.reduce(into: []) { $0.formUnion($1.givenProperties) }
    case .comparison(let comparison): comparison.givenProperty.map { [$0] } ?? []
    default: []
    }
  }
}

extension FormatComparison {
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
