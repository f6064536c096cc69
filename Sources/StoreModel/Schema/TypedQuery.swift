import StorePredicate

/// A fetch request with typed results.
public protocol TypedRequest<Row, Output>: Sendable {
  /// The type of one result.
  associatedtype Row: Sendable
  /// The type of all results together.
  associatedtype Output: Sendable
  /// The untyped request. It selects values in the order in which `row` reads them.
  var request: StoreFetchRequest { get }
  /// Reads one result.
  ///
  /// - Parameter reader: The row of the store.
  /// - Returns: The result.
  /// - Throws: An error if a value can't be converted to its type.
  func row<Reader: RowReader>(from reader: inout Reader) throws -> Row
  /// Combines all results.
  ///
  /// - Parameter rows: The results, in order.
  /// - Returns: The output of the request.
  func output(of rows: [Row]) -> Output
}

extension TypedRequest where Output == [Row] {
  /// Returns the results unchanged.
  @inlinable
  public func output(of rows: [Row]) -> [Row] { rows }
}

/// A request whose results can be sorted and limited: a query or a selection.
public protocol SortableRequest<Object>: Sendable {
  /// The type of the rows.
  associatedtype Object: StoredObject
  /// Returns a request whose untyped request is changed.
  ///
  /// - Parameter change: Changes everything except the values that the request returns.
  func changing(_ change: (inout StoreFetchRequest) -> Void) -> Self
}

extension SortableRequest {
  /// Returns a request that sorts by one or more keys instead of its previous ones. Rows with equal keys are sorted by
  /// their primary keys.
  ///
  /// - Parameters:
  ///   - first: The first sort key.
  ///   - more: Further sort keys.
  public func ordered(by first: TypedQuery<Object>.Order, _ more: TypedQuery<Object>.Order...)
    -> Self
  {
    ordered(by: first, more)
  }

  /// Returns a request that sorts by a property in ascending order, then by further keys.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - more: Further sort keys.
  public func ordered<T: TypedTerm>(
    by path: TermPath<Object, T>, _ more: TypedQuery<Object>.Order...
  ) -> Self where T.Owner == Object {
    ordered(by: .ascending(path), more)
  }

  // A key path isn't an `Order`, and a parameter can't accept both. These overloads accept key paths at the start.

  /// Returns a request that sorts by two properties in ascending order, then by further keys.
  ///
  /// - Parameters:
  ///   - first: The first property.
  ///   - second: The second property.
  ///   - more: Further sort keys.
  public func ordered<T: TypedTerm, U: TypedTerm>(
    by first: TermPath<Object, T>, _ second: TermPath<Object, U>,
    _ more: TypedQuery<Object>.Order...
  ) -> Self where T.Owner == Object, U.Owner == Object {
    ordered(by: .ascending(first), [.ascending(second)] + more)
  }

  /// Returns a request that sorts by three properties in ascending order, then by further keys.
  ///
  /// - Parameters:
  ///   - first: The first property.
  ///   - second: The second property.
  ///   - third: The third property.
  ///   - more: Further sort keys.
  public func ordered<T: TypedTerm, U: TypedTerm, V: TypedTerm>(
    by first: TermPath<Object, T>, _ second: TermPath<Object, U>, _ third: TermPath<Object, V>,
    _ more: TypedQuery<Object>.Order...
  ) -> Self where T.Owner == Object, U.Owner == Object, V.Owner == Object {
    ordered(by: .ascending(first), [.ascending(second), .ascending(third)] + more)
  }

  /// Returns a request that sorts by a key, by a property in ascending order, then by further keys.
  ///
  /// - Parameters:
  ///   - first: The first sort key.
  ///   - second: The property.
  ///   - more: Further sort keys.
  public func ordered<T: TypedTerm>(
    by first: TypedQuery<Object>.Order, _ second: TermPath<Object, T>,
    _ more: TypedQuery<Object>.Order...
  ) -> Self where T.Owner == Object {
    ordered(by: first, [.ascending(second)] + more)
  }

  private func ordered(by first: TypedQuery<Object>.Order, _ more: [TypedQuery<Object>.Order])
    -> Self
  {
    changing { $0.sort = ([first] + more).map(\.key) }
  }

  /// Returns a request that is limited to a number of rows.
  ///
  /// - Parameter count: The maximum number of rows.
  public func limit(_ count: Int) -> Self { changing { $0.limit = count } }

  /// Returns a request that skips the first rows.
  ///
  /// - Parameter count: The number of rows to skip.
  public func offset(_ count: Int) -> Self { changing { $0.offset = count } }
}

/// A query for rows of one type.
///
///     Product.all.where(\.price > 10).ordered(by: \.title, .descending(\.price)).limit(10)
public struct TypedQuery<Object: StoredObject>: TypedRequest, SelectableQuery, SortableRequest,
  Hashable
{
  /// The untyped request. In `request`, its `result` is replaced by the values that `row` reads.
  public private(set) var base: StoreFetchRequest

  /// Creates a query.
  ///
  /// - Parameter base: An untyped request for rows of the entity.
  public init(_ base: StoreFetchRequest) {
    self.base = base
  }

  public var request: StoreFetchRequest {
    var request = base
    let own = SelectedValue(FormatExpression(.selfObject), name: "objectID")
    let properties = Object.propertyNames.map { name in
      SelectedValue(KeyChain(name.split(separator: ".").map(String.init)).expression, name: name)
    }
    request.result = .values([own] + properties)
    return request
  }

  @inlinable
  public func row<Reader: RowReader>(from reader: inout Reader) throws -> Stored<Object> {
    let id = try reader.read(TypedObjectID<Object>.self)
    return Stored(id: id, value: try Object(row: &reader))
  }

  public func changing(_ change: (inout StoreFetchRequest) -> Void) -> Self {
    var copy = self
    change(&copy.base)
    return copy
  }
}

// MARK: Which rows

extension TypedQuery {
  /// Returns a query for rows that also match a condition.
  ///
  ///     Product.all.where(\.price > 10)
  ///     Product.all.where(Condition(try FormatPredicate(parsing: "name LIKE 'R*'")))
  ///
  /// - Parameter condition: The condition.
  public func `where`(_ condition: TypedCondition<Object>) -> Self {
    changing {
      $0.predicate = $0.predicate.map { .and([$0, condition.predicate]) } ?? condition.predicate
    }
  }

  /// Returns a query whose live results are divided into sections. Rows with equal values are in the same section, and
  /// all rows are first sorted by these values.
  ///
  /// - Parameter path: The property whose values are the names of the sections.
  public func sectioned<T: TypedTerm>(by path: TermPath<Object, T>) -> Self
  where T.Owner == Object {
    changing { $0.sections = path.term.expression }
  }

  /// Returns a query without rows of sub-entities.
  public func withoutSubentities() -> Self { changing { $0.includesSubentities = false } }
}

extension TypedQuery {
  /// A sort key with a direction.
  public struct Order: Hashable, Sendable {
    package let key: SortKey

    /// Returns a sort key in ascending order.
    ///
    /// - Parameter path: The property to sort by.
    public static func ascending<T: TypedTerm>(_ path: TermPath<Object, T>) -> Self
    where T.Owner == Object {
      Self(key: SortKey(path.term.expression))
    }

    /// Returns a sort key in descending order.
    ///
    /// - Parameter path: The property to sort by.
    public static func descending<T: TypedTerm>(_ path: TermPath<Object, T>) -> Self
    where T.Owner == Object {
      Self(key: SortKey(path.term.expression, isAscending: false))
    }
  }
}

extension TypedQuery {
  /// A request for the number of rows.
  public var count: CountRequest<Object> {
    CountRequest(request: changing { $0.result = .count }.base)
  }

  /// A request for the object IDs of the rows.
  public var ids: IDRequest<Object> {
    IDRequest(request: changing { $0.result = .objectIDs }.base)
  }

  /// Returns a query with one result for each group of rows.
  ///
  ///     Order.all.grouped(by: \.country).select(\.country, \.price.sum)
  ///
  /// - Parameter terms: The key paths whose values are equal within a group.
  public func grouped<each T: TypedTerm>(
    by terms: repeat KeyPath<Object.Properties, each T>
  ) -> GroupedQuery<Object> {
    var keys: [FormatExpression] = []
    repeat keys.append((each terms).term.expression)
    return GroupedQuery(base: changing { $0.groupBy = keys }.base)
  }
}

/// A request for the number of rows.
public struct CountRequest<Object: StoredObject>: TypedRequest, Hashable {
  public let request: StoreFetchRequest

  @inlinable
  public func row<Reader: RowReader>(from reader: inout Reader) throws -> Int {
    try reader.read()
  }

  @inlinable
  public func output(of rows: [Int]) -> Int { rows.first ?? 0 }
}

/// A request for the object IDs of rows.
public struct IDRequest<Object: StoredObject>: TypedRequest, Hashable {
  public let request: StoreFetchRequest

  @inlinable
  public func row<Reader: RowReader>(from reader: inout Reader) throws -> TypedObjectID<Object> {
    try reader.read()
  }

  @inlinable
  public func output(of rows: [TypedObjectID<Object>]) -> [TypedObjectID<Object>] { rows }
}

/// A query for groups of rows. Its `select` method specifies the values of each group.
public struct GroupedQuery<Object: StoredObject>: SelectableQuery, Hashable {
  /// The untyped request. A selection replaces its `result`.
  public private(set) var base: StoreFetchRequest

  init(base: StoreFetchRequest) {
    self.base = base
  }

  /// A request for the number of groups.
  public var count: CountRequest<Object> {
    var counting = base
    counting.result = .count
    return CountRequest(request: counting)
  }

  /// Returns a query for groups that also match a condition.
  ///
  /// - Parameter condition: The condition, which may contain aggregates.
  public func having(_ condition: TypedCondition<Object>) -> Self {
    var copy = self
    copy.base.having = base.having.map { .and([$0, condition.predicate]) } ?? condition.predicate
    return copy
  }
}
