import StorePredicate

extension TypedQuery {
  /// How many rows there are.
  public var count: CountRequest<Object> {
    CountRequest(request: changing { $0.result = .count }.base)
  }

  /// Their object IDs alone.
  public var ids: IDRequest<Object> {
    IDRequest(request: changing { $0.result = .objectIDs }.base)
  }

  /// Some values of each row, as a tuple; of all rows together, where all of them are aggregates.
  ///
  ///     Product.all.select(\.title, \.category.name)
  ///     Product.all.select(\.price.sum, \.price.average)
  public func select<each T: Term>(
    _ terms: repeat KeyPath<Object.Properties, each T>
  ) -> Selection<Object, repeat (each T).Value> {
    var values: [FormatExpression] = []
    repeat values.append((each terms).term.expression)
    return Selection(base, values)
  }

  /// One row for each group of rows that are equal in what is named.
  ///
  ///     Order.all.grouped(by: \.country).select(\.country, \.price.sum)
  public func grouped<each T: Term>(
    by terms: repeat KeyPath<Object.Properties, each T>
  ) -> GroupedQuery<Object> {
    var keys: [FormatExpression] = []
    repeat keys.append((each terms).term.expression)
    return GroupedQuery(base: changing { $0.groupBy = keys }.base)
  }
}

/// The number of rows.
public struct CountRequest<Object: StoredObject>: TypedRequest, Hashable {
  public let request: StoreFetchRequest

  @inlinable
  public func row<Reader: RowReader>(from reader: inout Reader) throws -> Int {
    try reader.read()
  }

  @inlinable
  public func output(of rows: [Int]) -> Int { rows.first ?? 0 }
}

/// The object IDs of rows.
public struct IDRequest<Object: StoredObject>: TypedRequest, Hashable {
  public let request: StoreFetchRequest

  @inlinable
  public func row<Reader: RowReader>(from reader: inout Reader) throws -> TypedObjectID<Object> {
    try reader.read()
  }

  @inlinable
  public func output(of rows: [TypedObjectID<Object>]) -> [TypedObjectID<Object>] { rows }
}

/// Groups of rows: what is asked of each follows with `select`.
public struct GroupedQuery<Object: StoredObject>: Hashable, Sendable {
  package var base: StoreFetchRequest

  /// Only groups that match; the condition may hold aggregates.
  public func having(_ condition: Condition<Object>) -> Self {
    var copy = self
    copy.base.having = base.having.map { .and([$0, condition.predicate]) } ?? condition.predicate
    return copy
  }

  public func select<each T: Term>(
    _ terms: repeat KeyPath<Object.Properties, each T>
  ) -> Selection<Object, repeat (each T).Value> {
    var values: [FormatExpression] = []
    repeat values.append((each terms).term.expression)
    return Selection(base, values)
  }
}

/// Chosen values of rows or groups, each row a tuple.
public struct Selection<Object: StoredObject, each Value: PropertyValue>: TypedRequest {
  public private(set) var request: StoreFetchRequest

  /// The names only tell the values apart.
  init(_ base: StoreFetchRequest, _ values: [FormatExpression]) {
    request = base
    request.result = .values(
      values.enumerated().map { SelectedValue($1, name: "\($0 + 1)") })
  }

  @inlinable
  public func row<Reader: RowReader>(from reader: inout Reader) throws -> (repeat each Value) {
    try (repeat reader.read((each Value).self))
  }

  @inlinable
  public func output(of rows: [(repeat each Value)]) -> [(repeat each Value)] { rows }

  /// Equal tuples once.
  public func distinct() -> Self {
    var copy = self
    copy.request.isDistinct = true
    return copy
  }
}
