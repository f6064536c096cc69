import StorePredicate

/// A query whose `select` methods specify the values of each row or group.
public protocol SelectableQuery<Object>: Sendable {
  /// The type of the rows.
  associatedtype Object: StoredObject
  /// The untyped request. A selection replaces its `result`.
  var base: StoreFetchRequest { get }
}

extension SelectableQuery {
  /// Returns a request for one value of each row or group. If the value of a row is an aggregate, there is one result.
  ///
  ///     Product.all.select(\.title)
  ///     Product.all.select(\.price.max)
  ///
  /// - Parameter term: The key path of the value.
  public func select<T: TypedTerm>(
    _ term: KeyPath<Object.Properties, T>
  ) -> ValueRequest<Object, T.Value> {
    ValueRequest(base, term.term.expression)
  }

  /// Returns a request for some values of each row or group, as a tuple. If all values of rows are aggregates, the
  /// result is one tuple.
  ///
  ///     Product.all.select(\.title, \.category.name)
  ///     Product.all.select(\.price.sum, \.price.average)
  ///     Order.all.grouped(by: \.country).select(\.country, \.price.sum)
  ///
  /// - Parameter terms: The key paths of the values.
  public func select<each T: TypedTerm>(
    _ terms: repeat KeyPath<Object.Properties, each T>
  ) -> TypedSelection<Object, repeat (each T).Value> {
    var values: [FormatExpression] = []
    repeat values.append((each terms).term.expression)
    return TypedSelection(base, values)
  }
}

// Swift 6.3 doesn't compile key paths in a parameter pack if the type of the whole expression is `Any`, as in
// `print(try await store.fetch(Product.all.select(\.title, \.price)).count)`. These overloads have no parameter pack.
extension SelectableQuery {
  /// Returns a request for two values of each row or group, as a tuple.
  ///
  /// - Parameters:
  ///   - first: The key path of the first value.
  ///   - second: The key path of the second value.
  public func select<T: TypedTerm, U: TypedTerm>(
    _ first: KeyPath<Object.Properties, T>,
    _ second: KeyPath<Object.Properties, U>
  ) -> TypedSelection<Object, T.Value, U.Value> {
    TypedSelection(base, [first.term.expression, second.term.expression])
  }

  /// Returns a request for three values of each row or group, as a tuple.
  ///
  /// - Parameters:
  ///   - first: The key path of the first value.
  ///   - second: The key path of the second value.
  ///   - third: The key path of the third value.
  public func select<T: TypedTerm, U: TypedTerm, V: TypedTerm>(
    _ first: KeyPath<Object.Properties, T>,
    _ second: KeyPath<Object.Properties, U>,
    _ third: KeyPath<Object.Properties, V>
  ) -> TypedSelection<Object, T.Value, U.Value, V.Value> {
    TypedSelection(base, [first.term.expression, second.term.expression, third.term.expression])
  }

  /// Returns a request for four values of each row or group, as a tuple.
  ///
  /// - Parameters:
  ///   - first: The key path of the first value.
  ///   - second: The key path of the second value.
  ///   - third: The key path of the third value.
  ///   - fourth: The key path of the fourth value.
  public func select<T: TypedTerm, U: TypedTerm, V: TypedTerm, W: TypedTerm>(
    _ first: KeyPath<Object.Properties, T>,
    _ second: KeyPath<Object.Properties, U>,
    _ third: KeyPath<Object.Properties, V>,
    _ fourth: KeyPath<Object.Properties, W>
  ) -> TypedSelection<Object, T.Value, U.Value, V.Value, W.Value> {
    TypedSelection(
      base,
      [
        first.term.expression, second.term.expression, third.term.expression,
        fourth.term.expression,
      ])
  }

  /// Returns a request for five values of each row or group, as a tuple.
  ///
  /// - Parameters:
  ///   - first: The key path of the first value.
  ///   - second: The key path of the second value.
  ///   - third: The key path of the third value.
  ///   - fourth: The key path of the fourth value.
  ///   - fifth: The key path of the fifth value.
  public func select<T: TypedTerm, U: TypedTerm, V: TypedTerm, W: TypedTerm, X: TypedTerm>(
    _ first: KeyPath<Object.Properties, T>,
    _ second: KeyPath<Object.Properties, U>,
    _ third: KeyPath<Object.Properties, V>,
    _ fourth: KeyPath<Object.Properties, W>,
    _ fifth: KeyPath<Object.Properties, X>
  ) -> TypedSelection<Object, T.Value, U.Value, V.Value, W.Value, X.Value> {
    TypedSelection(
      base,
      [
        first.term.expression, second.term.expression, third.term.expression,
        fourth.term.expression, fifth.term.expression,
      ])
  }

  /// Returns a request for six values of each row or group, as a tuple.
  ///
  /// - Parameters:
  ///   - first: The key path of the first value.
  ///   - second: The key path of the second value.
  ///   - third: The key path of the third value.
  ///   - fourth: The key path of the fourth value.
  ///   - fifth: The key path of the fifth value.
  ///   - sixth: The key path of the sixth value.
  public func select<
    T: TypedTerm, U: TypedTerm, V: TypedTerm, W: TypedTerm, X: TypedTerm, Y: TypedTerm
  >(
    _ first: KeyPath<Object.Properties, T>,
    _ second: KeyPath<Object.Properties, U>,
    _ third: KeyPath<Object.Properties, V>,
    _ fourth: KeyPath<Object.Properties, W>,
    _ fifth: KeyPath<Object.Properties, X>,
    _ sixth: KeyPath<Object.Properties, Y>
  ) -> TypedSelection<Object, T.Value, U.Value, V.Value, W.Value, X.Value, Y.Value> {
    TypedSelection(
      base,
      [
        first.term.expression, second.term.expression, third.term.expression,
        fourth.term.expression, fifth.term.expression, sixth.term.expression,
      ])
  }
}

/// A request for one selected value of rows or groups.
public struct ValueRequest<Object: StoredObject, Value: PropertyValue>: TypedRequest,
  SortableRequest, Hashable
{
  public private(set) var request: StoreFetchRequest

  init(_ base: StoreFetchRequest, _ value: FormatExpression) {
    request = base
    request.result = .values([SelectedValue(value, name: "1")])
  }

  @inlinable
  public func row<Reader: RowReader>(from reader: inout Reader) throws -> Value {
    try reader.read()
  }

  @inlinable
  public func output(of rows: [Value]) -> [Value] { rows }

  /// Returns a request that returns equal values only once.
  public func distinct() -> Self { changing { $0.isDistinct = true } }

  /// A request for the number of values. Groups with equal values are counted separately, even with `distinct`.
  public var count: CountRequest<Object> { CountRequest(counting: request) }

  public func changing(_ change: (inout StoreFetchRequest) -> Void) -> Self {
    var copy = self
    change(&copy.request)
    return copy
  }
}

/// A request for selected values of rows or groups. Each result is a tuple.
public struct TypedSelection<Object: StoredObject, each Value: PropertyValue>: TypedRequest,
  SortableRequest
{
  public private(set) var request: StoreFetchRequest

  /// Creates a selection. The names of the values are numbers, because `row` reads the values by their order.
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

  /// Returns a request that returns equal tuples only once.
  public func distinct() -> Self { changing { $0.isDistinct = true } }

  /// A request for the number of tuples. Groups with equal values are counted separately, even with `distinct`.
  public var count: CountRequest<Object> { CountRequest(counting: request) }

  public func changing(_ change: (inout StoreFetchRequest) -> Void) -> Self {
    var copy = self
    change(&copy.request)
    return copy
  }
}

extension CountRequest {
  /// Creates a request for the number of results of a selection.
  fileprivate init(counting selection: StoreFetchRequest) {
    var request = selection
    if case .values(let values) = selection.result, selection.isDistinct,
      selection.groupBy.isEmpty
    {
      // Rows with equal values are one group.
      request.groupBy = values.map(\.expression)
    }
    request.isDistinct = false
    request.result = .count
    self.init(request: request)
  }
}
