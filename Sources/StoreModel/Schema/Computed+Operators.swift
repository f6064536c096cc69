import StorePredicate

// `\.price * 2`, `\.price * \.amount`: nil where a part is nil. What they make is a path as that of a property is, so
// that it can stand wherever one can.

public func + <Properties: ObjectProperties, T: Term>(
  left: KeyPath<Properties, T>, right: T.Value.Wrapped
) -> KeyPath<Properties, Computed<Properties.Owner, T.Value>>
where T.Owner == Properties.Owner, T.Value.Wrapped: SummableValue {
  Computed(left.term, .add, right).path()
}

public func - <Properties: ObjectProperties, T: Term>(
  left: KeyPath<Properties, T>, right: T.Value.Wrapped
) -> KeyPath<Properties, Computed<Properties.Owner, T.Value>>
where T.Owner == Properties.Owner, T.Value.Wrapped: SummableValue {
  Computed(left.term, .subtract, right).path()
}

public func * <Properties: ObjectProperties, T: Term>(
  left: KeyPath<Properties, T>, right: T.Value.Wrapped
) -> KeyPath<Properties, Computed<Properties.Owner, T.Value>>
where T.Owner == Properties.Owner, T.Value.Wrapped: SummableValue {
  Computed(left.term, .multiply, right).path()
}

public func / <Properties: ObjectProperties, T: Term>(
  left: KeyPath<Properties, T>, right: T.Value.Wrapped
) -> KeyPath<Properties, Computed<Properties.Owner, T.Value>>
where T.Owner == Properties.Owner, T.Value.Wrapped: SummableValue {
  Computed(left.term, .divide, right).path()
}

public func + <Properties: ObjectProperties, T: Term, U: Term>(
  left: KeyPath<Properties, T>, right: KeyPath<Properties, U>
) -> KeyPath<Properties, Computed<Properties.Owner, T.Value.Wrapped?>>
where
  T.Owner == Properties.Owner, U.Owner == Properties.Owner, T.Value.Wrapped: SummableValue,
  U.Value.Wrapped: SummableValue
{
  Computed(left.term, .add, right.term).path()
}

public func - <Properties: ObjectProperties, T: Term, U: Term>(
  left: KeyPath<Properties, T>, right: KeyPath<Properties, U>
) -> KeyPath<Properties, Computed<Properties.Owner, T.Value.Wrapped?>>
where
  T.Owner == Properties.Owner, U.Owner == Properties.Owner, T.Value.Wrapped: SummableValue,
  U.Value.Wrapped: SummableValue
{
  Computed(left.term, .subtract, right.term).path()
}

public func * <Properties: ObjectProperties, T: Term, U: Term>(
  left: KeyPath<Properties, T>, right: KeyPath<Properties, U>
) -> KeyPath<Properties, Computed<Properties.Owner, T.Value.Wrapped?>>
where
  T.Owner == Properties.Owner, U.Owner == Properties.Owner, T.Value.Wrapped: SummableValue,
  U.Value.Wrapped: SummableValue
{
  Computed(left.term, .multiply, right.term).path()
}

public func / <Properties: ObjectProperties, T: Term, U: Term>(
  left: KeyPath<Properties, T>, right: KeyPath<Properties, U>
) -> KeyPath<Properties, Computed<Properties.Owner, T.Value.Wrapped?>>
where
  T.Owner == Properties.Owner, U.Owner == Properties.Owner, T.Value.Wrapped: SummableValue,
  U.Value.Wrapped: SummableValue
{
  Computed(left.term, .divide, right.term).path()
}

// The same where a `Computed` is asked for, as in an extension of `Properties`.

@_disfavoredOverload
public func + <Owner, T: Term>(
  left: TermPath<Owner, T>, right: T.Value.Wrapped
) -> Computed<Owner, T.Value> where T.Owner == Owner, T.Value.Wrapped: SummableValue {
  Computed(left.term, .add, right)
}

@_disfavoredOverload
public func - <Owner, T: Term>(
  left: TermPath<Owner, T>, right: T.Value.Wrapped
) -> Computed<Owner, T.Value> where T.Owner == Owner, T.Value.Wrapped: SummableValue {
  Computed(left.term, .subtract, right)
}

@_disfavoredOverload
public func * <Owner, T: Term>(
  left: TermPath<Owner, T>, right: T.Value.Wrapped
) -> Computed<Owner, T.Value> where T.Owner == Owner, T.Value.Wrapped: SummableValue {
  Computed(left.term, .multiply, right)
}

@_disfavoredOverload
public func / <Owner, T: Term>(
  left: TermPath<Owner, T>, right: T.Value.Wrapped
) -> Computed<Owner, T.Value> where T.Owner == Owner, T.Value.Wrapped: SummableValue {
  Computed(left.term, .divide, right)
}

@_disfavoredOverload
public func + <Owner, T: Term, U: Term>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
) -> Computed<Owner, T.Value.Wrapped?>
where
  T.Owner == Owner, U.Owner == Owner, T.Value.Wrapped: SummableValue, U.Value.Wrapped: SummableValue
{
  Computed(left.term, .add, right.term)
}

@_disfavoredOverload
public func - <Owner, T: Term, U: Term>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
) -> Computed<Owner, T.Value.Wrapped?>
where
  T.Owner == Owner, U.Owner == Owner, T.Value.Wrapped: SummableValue, U.Value.Wrapped: SummableValue
{
  Computed(left.term, .subtract, right.term)
}

@_disfavoredOverload
public func * <Owner, T: Term, U: Term>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
) -> Computed<Owner, T.Value.Wrapped?>
where
  T.Owner == Owner, U.Owner == Owner, T.Value.Wrapped: SummableValue, U.Value.Wrapped: SummableValue
{
  Computed(left.term, .multiply, right.term)
}

@_disfavoredOverload
public func / <Owner, T: Term, U: Term>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
) -> Computed<Owner, T.Value.Wrapped?>
where
  T.Owner == Owner, U.Owner == Owner, T.Value.Wrapped: SummableValue, U.Value.Wrapped: SummableValue
{
  Computed(left.term, .divide, right.term)
}

extension ObjectProperties {
  /// A computed value as if it had a name among the properties.
  fileprivate subscript<Value>(computed: Computed<Owner, Value>) -> Computed<Owner, Value> {
    computed
  }
}

extension Computed {
  fileprivate func path<Properties: ObjectProperties>() -> KeyPath<Properties, Self>
  where Properties.Owner == Owner { \Properties[self] }

  fileprivate init<T: Term>(
    _ left: T, _ operation: ArithmeticOperator, _ right: T.Value.Wrapped
  ) where T.Value.Wrapped: SummableValue {
    self.init(FormatExpression(.arithmetic(operation, left.expression, .value(right.storeValue))))
  }

  fileprivate init<T: Term, U: Term>(_ left: T, _ operation: ArithmeticOperator, _ right: U) {
    self.init(FormatExpression(.arithmetic(operation, left.expression, right.expression)))
  }
}
