public import StorePredicate

/// A fetch request whose results have types.
public protocol TypedRequest<Row, Output>: Sendable {
  /// What is made of one row of the answer.
  associatedtype Row: Sendable
  /// What all of them together are.
  associatedtype Output: Sendable
  /// What the store is asked for: always values, in the order in which `row` reads them.
  var request: StoreFetchRequest { get }
  func row<Reader: RowReader>(from reader: inout Reader) throws -> Row
  func output(of rows: [Row]) -> Output
}

extension TypedRequest where Output == [Row] {
  @inlinable
  public func output(of rows: [Row]) -> [Row] { rows }
}

/// Rows of one type: which of them, in which order, how many.
///
///     Product.all.where(\.price > 10).ordered(by: \.title, .descending(\.price)).limit(10)
public struct TypedQuery<Object: StoredObject>: TypedRequest, Hashable {
  /// Its result is `rows`; conditions, order and limits are the command line's.
  public private(set) var base: StoreFetchRequest

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

  func changing(_ change: (inout StoreFetchRequest) -> Void) -> Self {
    var copy = self
    change(&copy.base)
    return copy
  }
}

// MARK: Which rows

extension TypedQuery {
  /// Those of the rows so far that match.
  public func `where`(_ condition: Condition<Object>) -> Self { self.where(condition.predicate) }

  /// Those of the rows so far that match a predicate: `try FormatPredicate(parsing: "name LIKE 'R*'")`.
  public func `where`(_ predicate: FormatPredicate) -> Self {
    changing { $0.predicate = $0.predicate.map { .and([$0, predicate]) } ?? predicate }
  }

  /// In this order; in that of the primary keys where nothing is said, and among rows that are equal.
  public func ordered(by first: Order<Object>, _ more: Order<Object>...) -> Self {
    ordered(by: first, more)
  }

  public func ordered<T: Term>(
    by path: TermPath<Object, T>, _ more: Order<Object>...
  ) -> Self where T.Owner == Object {
    ordered(by: .ascending(path), more)
  }

  // A key path is not an `Order`, and no parameter takes either: so the first ones may be plain in these ways.

  public func ordered<T: Term, U: Term>(
    by first: TermPath<Object, T>, _ second: TermPath<Object, U>, _ more: Order<Object>...
  ) -> Self where T.Owner == Object, U.Owner == Object {
    ordered(by: .ascending(first), [.ascending(second)] + more)
  }

  public func ordered<T: Term, U: Term, V: Term>(
    by first: TermPath<Object, T>, _ second: TermPath<Object, U>, _ third: TermPath<Object, V>,
    _ more: Order<Object>...
  ) -> Self where T.Owner == Object, U.Owner == Object, V.Owner == Object {
    ordered(by: .ascending(first), [.ascending(second), .ascending(third)] + more)
  }

  public func ordered<T: Term>(
    by first: Order<Object>, _ second: TermPath<Object, T>, _ more: Order<Object>...
  ) -> Self where T.Owner == Object {
    ordered(by: first, [.ascending(second)] + more)
  }

  private func ordered(by first: Order<Object>, _ more: [Order<Object>]) -> Self {
    changing { $0.sort = ([first] + more).map(\.key) }
  }

  public func limit(_ count: Int) -> Self { changing { $0.limit = count } }

  /// In sections of rows that are equal in a value, which sorts first: for live results.
  public func sectioned<T: Term>(by path: TermPath<Object, T>) -> Self where T.Owner == Object {
    changing { $0.sections = path.term.expression }
  }

  /// Leaves out the first rows.
  public func offset(_ count: Int) -> Self { changing { $0.offset = count } }

  /// Leaves out rows of entities that inherit from this one.
  public func withoutSubentities() -> Self { changing { $0.includesSubentities = false } }
}

/// One key of the order of rows.
public struct Order<Object: StoredObject>: Hashable, Sendable {
  package let key: SortKey

  public static func ascending<T: Term>(_ path: TermPath<Object, T>) -> Self
  where T.Owner == Object {
    Self(key: SortKey(path.term.expression))
  }

  public static func descending<T: Term>(_ path: TermPath<Object, T>) -> Self
  where T.Owner == Object {
    Self(key: SortKey(path.term.expression, isAscending: false))
  }
}

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
