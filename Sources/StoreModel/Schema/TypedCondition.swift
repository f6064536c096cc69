public import StorePredicate

/// A predicate on rows of one type.
///
///     Product.all.where(\.price > 10 && \.category.name == "Tea")
public struct TypedCondition<Owner: StoredObject>: Hashable, Sendable {
  /// The untyped predicate.
  public let predicate: FormatPredicate

  /// Creates a condition.
  ///
  /// - Parameter predicate: An untyped predicate on the rows.
  public init(_ predicate: FormatPredicate) {
    self.predicate = predicate
  }

  package init<T: TypedOperand>(
    _ path: TermPath<Owner, T>, _ operation: FormatComparison.Operator,
    _ right: FormatExpression,
    _ options: FormatComparison.Options = []
  ) where T.Owner == Owner {
    self.init(path.term, operation, right, options)
  }

  package init<T: TypedOperand>(
    _ term: T, _ operation: FormatComparison.Operator, _ right: FormatExpression,
    _ options: FormatComparison.Options = []
  ) where T.Owner == Owner {
    predicate = .comparison(
      FormatComparison(
        term.expression, operation, right, modifier: term.modifier, options: options))
  }
}

/// Returns a condition that is true if both conditions are true.
public func && <Owner>(left: TypedCondition<Owner>, right: TypedCondition<Owner>) -> TypedCondition<
  Owner
> {
  TypedCondition(
    .and(left.predicate.members(of: \.conjuncts) + right.predicate.members(of: \.conjuncts)))
}

/// Returns a condition that is true if at least one of the conditions is true.
public func || <Owner>(left: TypedCondition<Owner>, right: TypedCondition<Owner>) -> TypedCondition<
  Owner
> {
  TypedCondition(
    .or(left.predicate.members(of: \.disjuncts) + right.predicate.members(of: \.disjuncts)))
}

/// Returns a condition that is true if a condition is false.
public prefix func ! <Owner>(condition: TypedCondition<Owner>) -> TypedCondition<Owner> {
  TypedCondition(.not(condition.predicate))
}

extension FormatPredicate {
  fileprivate var conjuncts: [FormatPredicate]? {
    if case .and(let members) = self { members } else { nil }
  }
  fileprivate var disjuncts: [FormatPredicate]? {
    if case .or(let members) = self { members } else { nil }
  }

  /// Returns the members in `list`, or the predicate itself if `list` is nil. `a AND b AND c` is therefore one node,
  /// not two nested ones.
  fileprivate func members(of list: KeyPath<FormatPredicate, [FormatPredicate]?>)
    -> [FormatPredicate]
  {
    self[keyPath: list] ?? [self]
  }
}

// MARK: Texts, lists, ranges

extension TypedCondition {
  /// Returns a condition that is true if an attribute equals a text.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - text: The text to compare with.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive`, or both.
  public static func equal<T: TypedOperand>(
    _ path: TermPath<Owner, T>, to text: String, _ options: FormatComparison.Options
  ) -> Self where T.Owner == Owner, T.Value.Wrapped == String {
    Self(path, .equal, .value(.string(text)), options)
  }

  /// Returns a condition that is true if an attribute contains a text.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - text: The text to find.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive`, or both.
  public static func contains<T: TypedOperand>(
    _ path: TermPath<Owner, T>, _ text: String, _ options: FormatComparison.Options = []
  ) -> Self where T.Owner == Owner, T.Value.Wrapped == String {
    Self(path, .contains, .value(.string(text)), options)
  }

  /// Returns a condition that is true if an attribute begins with a text.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - text: The text to find.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive`, or both.
  public static func begins<T: TypedOperand>(
    _ path: TermPath<Owner, T>, with text: String, _ options: FormatComparison.Options = []
  ) -> Self where T.Owner == Owner, T.Value.Wrapped == String {
    Self(path, .beginsWith, .value(.string(text)), options)
  }

  /// Returns a condition that is true if an attribute ends with a text.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - text: The text to find.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive`, or both.
  public static func ends<T: TypedOperand>(
    _ path: TermPath<Owner, T>, with text: String, _ options: FormatComparison.Options = []
  ) -> Self where T.Owner == Owner, T.Value.Wrapped == String {
    Self(path, .endsWith, .value(.string(text)), options)
  }

  /// Returns a condition that is true if an attribute matches a pattern with wildcards.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - pattern: A text in which `?` matches one character and `*` matches any number of characters.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive`, or both.
  public static func like<T: TypedOperand>(
    _ path: TermPath<Owner, T>, _ pattern: String, _ options: FormatComparison.Options = []
  ) -> Self where T.Owner == Owner, T.Value.Wrapped == String {
    Self(path, .like, .value(.string(pattern)), options)
  }

  /// Returns a condition that is true if an attribute matches a regular expression.
  ///
  /// - Parameters:
  ///   - path: The attribute.
  ///   - pattern: An ICU regular expression for the whole text.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive`, or both.
  public static func matches<T: TypedOperand>(
    _ path: TermPath<Owner, T>, _ pattern: String, _ options: FormatComparison.Options = []
  ) -> Self where T.Owner == Owner, T.Value.Wrapped == String {
    Self(path, .matches, .value(.string(pattern)), options)
  }

  /// Returns a condition that is true if a property has one of several values.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - values: The possible values.
  public static func `in`<T: TypedOperand>(
    _ path: TermPath<Owner, T>, _ values: some Sequence<T.Value.Wrapped>
  ) -> Self where T.Owner == Owner {
    Self(path, .in, FormatExpression(.list(values.map { .value($0.storeValue) })))
  }

  /// Returns a condition that is true if a property is in a range, including both bounds.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - range: The range.
  public static func between<T: TypedOperand>(
    _ path: TermPath<Owner, T>, _ range: ClosedRange<T.Value.Wrapped>
  ) -> Self where T.Owner == Owner {
    let bounds = [range.lowerBound, range.upperBound].map { FormatExpression.value($0.storeValue) }
    return Self(path, .between, FormatExpression(.list(bounds)))
  }
}

// MARK: Rows by their IDs

extension TypedCondition {
  /// Returns a condition that matches one row: `Venue.all.where(.id(is: venue)).including(\.location)`.
  ///
  /// - Parameter row: The row or its ID.
  public static func id(is row: some ObjectReference<Owner>) -> Self { Self(row.id.predicate) }

  /// Returns a condition that matches rows by their IDs. IDs of rows that don't exist are ignored.
  ///
  /// - Parameter rows: The rows or their IDs.
  public static func id(in rows: some Sequence<some ObjectReference<Owner>>) -> Self {
    id(in: rows.map(\.id))
  }

  /// Returns a condition that matches rows by their IDs. It also accepts the empty list `[]`.
  ///
  /// - Parameter ids: The IDs of the rows.
  public static func id(in ids: [TypedObjectID<Owner>]) -> Self {
    let list = FormatExpression(.list(ids.map { .value($0.storeValue) }))
    return Self(.comparison(FormatComparison(FormatExpression(.selfObject), .in, list)))
  }
}

// `\.price > 10`: the context determines the type of the rows, and the property determines the type of the value.

/// Returns a condition that is true if a property equals a value.
public func == <Owner, T: TypedOperand>(left: TermPath<Owner, T>, right: T.Value) -> TypedCondition<
  Owner
>
where T.Owner == Owner {
  TypedCondition(left, .equal, .value(right.storeValue))
}
/// Returns a condition that is true if a property doesn't equal a value.
public func != <Owner, T: TypedOperand>(left: TermPath<Owner, T>, right: T.Value) -> TypedCondition<
  Owner
>
where T.Owner == Owner {
  TypedCondition(left, .notEqual, .value(right.storeValue))
}
/// Returns a condition that is true if a property is less than a value.
public func < <Owner, T: TypedOperand>(left: TermPath<Owner, T>, right: T.Value.Wrapped)
  -> TypedCondition<
    Owner
  >
where T.Owner == Owner, T.Value.Wrapped: Comparable {
  TypedCondition(left, .less, .value(right.storeValue))
}
/// Returns a condition that is true if a property is less than or equal to a value.
public func <= <Owner, T: TypedOperand>(left: TermPath<Owner, T>, right: T.Value.Wrapped)
  -> TypedCondition<
    Owner
  >
where T.Owner == Owner, T.Value.Wrapped: Comparable {
  TypedCondition(left, .lessOrEqual, .value(right.storeValue))
}
/// Returns a condition that is true if a property is greater than a value.
public func > <Owner, T: TypedOperand>(left: TermPath<Owner, T>, right: T.Value.Wrapped)
  -> TypedCondition<
    Owner
  >
where T.Owner == Owner, T.Value.Wrapped: Comparable {
  TypedCondition(left, .greater, .value(right.storeValue))
}
/// Returns a condition that is true if a property is greater than or equal to a value.
public func >= <Owner, T: TypedOperand>(left: TermPath<Owner, T>, right: T.Value.Wrapped)
  -> TypedCondition<
    Owner
  >
where T.Owner == Owner, T.Value.Wrapped: Comparable {
  TypedCondition(left, .greaterOrEqual, .value(right.storeValue))
}

// `\.price < \.limit`: two properties of the same row.

/// Returns a condition that is true if two properties are equal.
public func == <Owner, T: TypedOperand, U: TypedTerm>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
)
  -> TypedCondition<Owner>
where T.Owner == Owner, U.Owner == Owner, U.Value.Wrapped == T.Value.Wrapped {
  TypedCondition(left, .equal, right.term.expression)
}
/// Returns a condition that is true if two properties aren't equal.
public func != <Owner, T: TypedOperand, U: TypedTerm>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
)
  -> TypedCondition<Owner>
where T.Owner == Owner, U.Owner == Owner, U.Value.Wrapped == T.Value.Wrapped {
  TypedCondition(left, .notEqual, right.term.expression)
}
/// Returns a condition that is true if a property is less than another one.
public func < <Owner, T: TypedOperand, U: TypedTerm>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
)
  -> TypedCondition<Owner>
where
  T.Owner == Owner, U.Owner == Owner, U.Value.Wrapped == T.Value.Wrapped,
  T.Value.Wrapped: Comparable
{
  TypedCondition(left, .less, right.term.expression)
}
/// Returns a condition that is true if a property is less than or equal to another one.
public func <= <Owner, T: TypedOperand, U: TypedTerm>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
)
  -> TypedCondition<Owner>
where
  T.Owner == Owner, U.Owner == Owner, U.Value.Wrapped == T.Value.Wrapped,
  T.Value.Wrapped: Comparable
{
  TypedCondition(left, .lessOrEqual, right.term.expression)
}
/// Returns a condition that is true if a property is greater than another one.
public func > <Owner, T: TypedOperand, U: TypedTerm>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
)
  -> TypedCondition<Owner>
where
  T.Owner == Owner, U.Owner == Owner, U.Value.Wrapped == T.Value.Wrapped,
  T.Value.Wrapped: Comparable
{
  TypedCondition(left, .greater, right.term.expression)
}
/// Returns a condition that is true if a property is greater than or equal to another one.
public func >= <Owner, T: TypedOperand, U: TypedTerm>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
)
  -> TypedCondition<Owner>
where
  T.Owner == Owner, U.Owner == Owner, U.Value.Wrapped == T.Value.Wrapped,
  T.Value.Wrapped: Comparable
{
  TypedCondition(left, .greaterOrEqual, right.term.expression)
}

// `\.price * \.amount > 100`

/// Returns a condition that is true if a computed value is less than a value.
public func < <Owner, Value>(left: ComputedValue<Owner, Value>, right: Value.Wrapped)
  -> TypedCondition<Owner>
where Value.Wrapped: Comparable {
  TypedCondition(left, .less, .value(right.storeValue))
}
/// Returns a condition that is true if a computed value is less than or equal to a value.
public func <= <Owner, Value>(left: ComputedValue<Owner, Value>, right: Value.Wrapped)
  -> TypedCondition<
    Owner
  > where Value.Wrapped: Comparable
{
  TypedCondition(left, .lessOrEqual, .value(right.storeValue))
}
/// Returns a condition that is true if a computed value is greater than a value.
public func > <Owner, Value>(left: ComputedValue<Owner, Value>, right: Value.Wrapped)
  -> TypedCondition<Owner>
where Value.Wrapped: Comparable {
  TypedCondition(left, .greater, .value(right.storeValue))
}
/// Returns a condition that is true if a computed value is greater than or equal to a value.
public func >= <Owner, Value>(left: ComputedValue<Owner, Value>, right: Value.Wrapped)
  -> TypedCondition<
    Owner
  > where Value.Wrapped: Comparable
{
  TypedCondition(left, .greaterOrEqual, .value(right.storeValue))
}
