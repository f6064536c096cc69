public import StorePredicate

/// A predicate about rows of one type.
///
///     Product.all.where(\.price > 10 && \.category.name == "Tea")
public struct Condition<Owner: StoredObject>: Hashable, Sendable {
  public let predicate: FormatPredicate

  public init(_ predicate: FormatPredicate) {
    self.predicate = predicate
  }

  package init<T: Operand>(
    _ path: TermPath<Owner, T>, _ operation: Comparison.Operator,
    _ right: FormatExpression,
    _ options: Comparison.Options = []
  ) where T.Owner == Owner {
    self.init(path.term, operation, right, options)
  }

  package init<T: Operand>(
    _ term: T, _ operation: Comparison.Operator, _ right: FormatExpression,
    _ options: Comparison.Options = []
  ) where T.Owner == Owner {
    predicate = .comparison(
      Comparison(
        term.expression, operation, right, modifier: term.modifier, options: options))
  }
}

public func && <Owner>(left: Condition<Owner>, right: Condition<Owner>) -> Condition<Owner> {
  Condition(
    .and(left.predicate.members(of: \.conjuncts) + right.predicate.members(of: \.conjuncts)))
}

public func || <Owner>(left: Condition<Owner>, right: Condition<Owner>) -> Condition<Owner> {
  Condition(.or(left.predicate.members(of: \.disjuncts) + right.predicate.members(of: \.disjuncts)))
}

public prefix func ! <Owner>(condition: Condition<Owner>) -> Condition<Owner> {
  Condition(.not(condition.predicate))
}

extension FormatPredicate {
  fileprivate var conjuncts: [FormatPredicate]? {
    if case .and(let members) = self { members } else { nil }
  }
  fileprivate var disjuncts: [FormatPredicate]? {
    if case .or(let members) = self { members } else { nil }
  }

  /// `a AND b AND c` is one flat node.
  fileprivate func members(of list: KeyPath<FormatPredicate, [FormatPredicate]?>)
    -> [FormatPredicate]
  {
    self[keyPath: list] ?? [self]
  }
}

// MARK: Texts, lists, ranges

extension Condition {
  /// - Parameters:
  ///   - path: the attribute.
  ///   - text: the text to compare with.
  ///   - options: `.caseInsensitive`, `.diacriticInsensitive`.
  public static func equal<T: Operand>(
    _ path: TermPath<Owner, T>, to text: String, _ options: Comparison.Options
  ) -> Self where T.Owner == Owner, T.Value.Wrapped == String {
    Self(path, .equal, .value(.string(text)), options)
  }

  public static func contains<T: Operand>(
    _ path: TermPath<Owner, T>, _ text: String, _ options: Comparison.Options = []
  ) -> Self where T.Owner == Owner, T.Value.Wrapped == String {
    Self(path, .contains, .value(.string(text)), options)
  }

  public static func begins<T: Operand>(
    _ path: TermPath<Owner, T>, with text: String, _ options: Comparison.Options = []
  ) -> Self where T.Owner == Owner, T.Value.Wrapped == String {
    Self(path, .beginsWith, .value(.string(text)), options)
  }

  public static func ends<T: Operand>(
    _ path: TermPath<Owner, T>, with text: String, _ options: Comparison.Options = []
  ) -> Self where T.Owner == Owner, T.Value.Wrapped == String {
    Self(path, .endsWith, .value(.string(text)), options)
  }

  /// - Parameters:
  ///   - path: the attribute.
  ///   - pattern: `?` stands for one character, `*` for any number.
  ///   - options: what the comparison ignores.
  public static func like<T: Operand>(
    _ path: TermPath<Owner, T>, _ pattern: String, _ options: Comparison.Options = []
  ) -> Self where T.Owner == Owner, T.Value.Wrapped == String {
    Self(path, .like, .value(.string(pattern)), options)
  }

  /// - Parameters:
  ///   - path: the attribute.
  ///   - pattern: an ICU regular expression for the whole text.
  ///   - options: what the comparison ignores.
  public static func matches<T: Operand>(
    _ path: TermPath<Owner, T>, _ pattern: String, _ options: Comparison.Options = []
  ) -> Self where T.Owner == Owner, T.Value.Wrapped == String {
    Self(path, .matches, .value(.string(pattern)), options)
  }

  public static func `in`<T: Operand>(
    _ path: TermPath<Owner, T>, _ values: some Sequence<T.Value.Wrapped>
  ) -> Self where T.Owner == Owner {
    Self(path, .in, FormatExpression(.list(values.map { .value($0.storeValue) })))
  }

  /// Both bounds are included.
  public static func between<T: Operand>(
    _ path: TermPath<Owner, T>, _ range: ClosedRange<T.Value.Wrapped>
  ) -> Self where T.Owner == Owner {
    let bounds = [range.lowerBound, range.upperBound].map { FormatExpression.value($0.storeValue) }
    return Self(path, .between, FormatExpression(.list(bounds)))
  }
}

// MARK: Rows by their IDs

extension Condition {
  /// One row: `Venue.all.where(.id(is: venue)).including(\.location)`.
  public static func id(is id: TypedObjectID<Owner>) -> Self { Self(id.predicate) }

  /// Some rows; those that are not in the store are left out.
  public static func id(in ids: some Sequence<TypedObjectID<Owner>>) -> Self {
    let list = FormatExpression(.list(ids.map { .value($0.storeValue) }))
    return Self(.comparison(Comparison(FormatExpression(.selfObject), .in, list)))
  }
}

// `\.price > 10`: the type of the rows comes from what the condition is for, that of the value from
// the property.

public func == <Owner, T: Operand>(left: TermPath<Owner, T>, right: T.Value) -> Condition<Owner>
where T.Owner == Owner {
  Condition(left, .equal, .value(right.storeValue))
}
public func != <Owner, T: Operand>(left: TermPath<Owner, T>, right: T.Value) -> Condition<Owner>
where T.Owner == Owner {
  Condition(left, .notEqual, .value(right.storeValue))
}
public func < <Owner, T: Operand>(left: TermPath<Owner, T>, right: T.Value.Wrapped) -> Condition<
  Owner
>
where T.Owner == Owner, T.Value.Wrapped: Comparable {
  Condition(left, .less, .value(right.storeValue))
}
public func <= <Owner, T: Operand>(left: TermPath<Owner, T>, right: T.Value.Wrapped) -> Condition<
  Owner
>
where T.Owner == Owner, T.Value.Wrapped: Comparable {
  Condition(left, .lessOrEqual, .value(right.storeValue))
}
public func > <Owner, T: Operand>(left: TermPath<Owner, T>, right: T.Value.Wrapped) -> Condition<
  Owner
>
where T.Owner == Owner, T.Value.Wrapped: Comparable {
  Condition(left, .greater, .value(right.storeValue))
}
public func >= <Owner, T: Operand>(left: TermPath<Owner, T>, right: T.Value.Wrapped) -> Condition<
  Owner
>
where T.Owner == Owner, T.Value.Wrapped: Comparable {
  Condition(left, .greaterOrEqual, .value(right.storeValue))
}

// `\.price < \.limit`: both of the same row.

public func == <Owner, T: Operand, U: Term>(left: TermPath<Owner, T>, right: TermPath<Owner, U>)
  -> Condition<Owner>
where T.Owner == Owner, U.Owner == Owner, U.Value.Wrapped == T.Value.Wrapped {
  Condition(left, .equal, right.term.expression)
}
public func != <Owner, T: Operand, U: Term>(left: TermPath<Owner, T>, right: TermPath<Owner, U>)
  -> Condition<Owner>
where T.Owner == Owner, U.Owner == Owner, U.Value.Wrapped == T.Value.Wrapped {
  Condition(left, .notEqual, right.term.expression)
}
public func < <Owner, T: Operand, U: Term>(left: TermPath<Owner, T>, right: TermPath<Owner, U>)
  -> Condition<Owner>
where
  T.Owner == Owner, U.Owner == Owner, U.Value.Wrapped == T.Value.Wrapped,
  T.Value.Wrapped: Comparable
{
  Condition(left, .less, right.term.expression)
}
public func <= <Owner, T: Operand, U: Term>(left: TermPath<Owner, T>, right: TermPath<Owner, U>)
  -> Condition<Owner>
where
  T.Owner == Owner, U.Owner == Owner, U.Value.Wrapped == T.Value.Wrapped,
  T.Value.Wrapped: Comparable
{
  Condition(left, .lessOrEqual, right.term.expression)
}
public func > <Owner, T: Operand, U: Term>(left: TermPath<Owner, T>, right: TermPath<Owner, U>)
  -> Condition<Owner>
where
  T.Owner == Owner, U.Owner == Owner, U.Value.Wrapped == T.Value.Wrapped,
  T.Value.Wrapped: Comparable
{
  Condition(left, .greater, right.term.expression)
}
public func >= <Owner, T: Operand, U: Term>(left: TermPath<Owner, T>, right: TermPath<Owner, U>)
  -> Condition<Owner>
where
  T.Owner == Owner, U.Owner == Owner, U.Value.Wrapped == T.Value.Wrapped,
  T.Value.Wrapped: Comparable
{
  Condition(left, .greaterOrEqual, right.term.expression)
}

// `\.price * \.amount > 100`

public func < <Owner, Value>(left: Computed<Owner, Value>, right: Value.Wrapped) -> Condition<Owner>
where Value.Wrapped: Comparable {
  Condition(left, .less, .value(right.storeValue))
}
public func <= <Owner, Value>(left: Computed<Owner, Value>, right: Value.Wrapped) -> Condition<
  Owner
> where Value.Wrapped: Comparable {
  Condition(left, .lessOrEqual, .value(right.storeValue))
}
public func > <Owner, Value>(left: Computed<Owner, Value>, right: Value.Wrapped) -> Condition<Owner>
where Value.Wrapped: Comparable {
  Condition(left, .greater, .value(right.storeValue))
}
public func >= <Owner, Value>(left: Computed<Owner, Value>, right: Value.Wrapped) -> Condition<
  Owner
> where Value.Wrapped: Comparable {
  Condition(left, .greaterOrEqual, .value(right.storeValue))
}
