import StorePredicate

// `\.price * 2`, `\.price * \.amount`: the result is a key path, which can be used like the key path of a property.

/// Returns the sum of a property and a value. The sum is nil if the property is nil.
public func + <Properties: ObjectProperties, T: TypedTerm>(
  left: KeyPath<Properties, T>, right: T.Value.Wrapped
) -> KeyPath<Properties, ComputedValue<Properties.Owner, T.Value>>
where T.Owner == Properties.Owner, T.Value.Wrapped: SummableValue {
  ComputedValue(left.term, .add, right).path()
}

/// Returns the difference of a property and a value. The difference is nil if the property is nil.
public func - <Properties: ObjectProperties, T: TypedTerm>(
  left: KeyPath<Properties, T>, right: T.Value.Wrapped
) -> KeyPath<Properties, ComputedValue<Properties.Owner, T.Value>>
where T.Owner == Properties.Owner, T.Value.Wrapped: SummableValue {
  ComputedValue(left.term, .subtract, right).path()
}

/// Returns the product of a property and a value. The product is nil if the property is nil.
public func * <Properties: ObjectProperties, T: TypedTerm>(
  left: KeyPath<Properties, T>, right: T.Value.Wrapped
) -> KeyPath<Properties, ComputedValue<Properties.Owner, T.Value>>
where T.Owner == Properties.Owner, T.Value.Wrapped: SummableValue {
  ComputedValue(left.term, .multiply, right).path()
}

/// Returns the quotient of a property and a value. The quotient is nil if the property is nil or the value is zero.
public func / <Properties: ObjectProperties, T: TypedTerm>(
  left: KeyPath<Properties, T>, right: T.Value.Wrapped
) -> KeyPath<Properties, ComputedValue<Properties.Owner, T.Value>>
where T.Owner == Properties.Owner, T.Value.Wrapped: SummableValue {
  ComputedValue(left.term, .divide, right).path()
}

/// Returns the sum of two properties. The sum is nil if one of them is nil.
public func + <Properties: ObjectProperties, T: TypedTerm, U: TypedTerm>(
  left: KeyPath<Properties, T>, right: KeyPath<Properties, U>
) -> KeyPath<Properties, ComputedValue<Properties.Owner, T.Value.Wrapped?>>
where
  T.Owner == Properties.Owner, U.Owner == Properties.Owner, T.Value.Wrapped: SummableValue,
  U.Value.Wrapped: SummableValue
{
  ComputedValue(left.term, .add, right.term).path()
}

/// Returns the difference of two properties. The difference is nil if one of them is nil.
public func - <Properties: ObjectProperties, T: TypedTerm, U: TypedTerm>(
  left: KeyPath<Properties, T>, right: KeyPath<Properties, U>
) -> KeyPath<Properties, ComputedValue<Properties.Owner, T.Value.Wrapped?>>
where
  T.Owner == Properties.Owner, U.Owner == Properties.Owner, T.Value.Wrapped: SummableValue,
  U.Value.Wrapped: SummableValue
{
  ComputedValue(left.term, .subtract, right.term).path()
}

/// Returns the product of two properties. The product is nil if one of them is nil.
public func * <Properties: ObjectProperties, T: TypedTerm, U: TypedTerm>(
  left: KeyPath<Properties, T>, right: KeyPath<Properties, U>
) -> KeyPath<Properties, ComputedValue<Properties.Owner, T.Value.Wrapped?>>
where
  T.Owner == Properties.Owner, U.Owner == Properties.Owner, T.Value.Wrapped: SummableValue,
  U.Value.Wrapped: SummableValue
{
  ComputedValue(left.term, .multiply, right.term).path()
}

/// Returns the quotient of two properties. The quotient is nil if one of them is nil or the divisor is zero.
public func / <Properties: ObjectProperties, T: TypedTerm, U: TypedTerm>(
  left: KeyPath<Properties, T>, right: KeyPath<Properties, U>
) -> KeyPath<Properties, ComputedValue<Properties.Owner, T.Value.Wrapped?>>
where
  T.Owner == Properties.Owner, U.Owner == Properties.Owner, T.Value.Wrapped: SummableValue,
  U.Value.Wrapped: SummableValue
{
  ComputedValue(left.term, .divide, right.term).path()
}

// These overloads return a `ComputedValue`. A computed property in an extension of `Properties` requires this type.

/// Returns the sum of a property and a value as a computed value. The sum is nil if the property is nil.
@_disfavoredOverload
public func + <Owner, T: TypedTerm>(
  left: TermPath<Owner, T>, right: T.Value.Wrapped
) -> ComputedValue<Owner, T.Value> where T.Owner == Owner, T.Value.Wrapped: SummableValue {
  ComputedValue(left.term, .add, right)
}

/// Returns the difference of a property and a value as a computed value. The difference is nil if the property is nil.
@_disfavoredOverload
public func - <Owner, T: TypedTerm>(
  left: TermPath<Owner, T>, right: T.Value.Wrapped
) -> ComputedValue<Owner, T.Value> where T.Owner == Owner, T.Value.Wrapped: SummableValue {
  ComputedValue(left.term, .subtract, right)
}

/// Returns the product of a property and a value as a computed value. The product is nil if the property is nil.
@_disfavoredOverload
public func * <Owner, T: TypedTerm>(
  left: TermPath<Owner, T>, right: T.Value.Wrapped
) -> ComputedValue<Owner, T.Value> where T.Owner == Owner, T.Value.Wrapped: SummableValue {
  ComputedValue(left.term, .multiply, right)
}

/// Returns the quotient of a property and a value as a computed value. The quotient is nil if the property is nil or
/// the value is zero.
@_disfavoredOverload
public func / <Owner, T: TypedTerm>(
  left: TermPath<Owner, T>, right: T.Value.Wrapped
) -> ComputedValue<Owner, T.Value> where T.Owner == Owner, T.Value.Wrapped: SummableValue {
  ComputedValue(left.term, .divide, right)
}

/// Returns the sum of two properties as a computed value. The sum is nil if one of them is nil.
@_disfavoredOverload
public func + <Owner, T: TypedTerm, U: TypedTerm>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
) -> ComputedValue<Owner, T.Value.Wrapped?>
where
  T.Owner == Owner, U.Owner == Owner, T.Value.Wrapped: SummableValue, U.Value.Wrapped: SummableValue
{
  ComputedValue(left.term, .add, right.term)
}

/// Returns the difference of two properties as a computed value. The difference is nil if one of them is nil.
@_disfavoredOverload
public func - <Owner, T: TypedTerm, U: TypedTerm>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
) -> ComputedValue<Owner, T.Value.Wrapped?>
where
  T.Owner == Owner, U.Owner == Owner, T.Value.Wrapped: SummableValue, U.Value.Wrapped: SummableValue
{
  ComputedValue(left.term, .subtract, right.term)
}

/// Returns the product of two properties as a computed value. The product is nil if one of them is nil.
@_disfavoredOverload
public func * <Owner, T: TypedTerm, U: TypedTerm>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
) -> ComputedValue<Owner, T.Value.Wrapped?>
where
  T.Owner == Owner, U.Owner == Owner, T.Value.Wrapped: SummableValue, U.Value.Wrapped: SummableValue
{
  ComputedValue(left.term, .multiply, right.term)
}

/// Returns the quotient of two properties as a computed value. The quotient is nil if one of them is nil or the divisor
/// is zero.
@_disfavoredOverload
public func / <Owner, T: TypedTerm, U: TypedTerm>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
) -> ComputedValue<Owner, T.Value.Wrapped?>
where
  T.Owner == Owner, U.Owner == Owner, T.Value.Wrapped: SummableValue, U.Value.Wrapped: SummableValue
{
  ComputedValue(left.term, .divide, right.term)
}

extension ObjectProperties {
  /// Returns the computed value itself, so that a key path can contain it like a property.
  fileprivate subscript<Value>(computed: ComputedValue<Owner, Value>) -> ComputedValue<Owner, Value>
  {
    computed
  }
}

extension ComputedValue {
  fileprivate func path<Properties: ObjectProperties>() -> KeyPath<Properties, Self>
  where Properties.Owner == Owner { \Properties[self] }

  fileprivate init<T: TypedTerm>(
    _ left: T, _ operation: ArithmeticOperator, _ right: T.Value.Wrapped
  ) where T.Value.Wrapped: SummableValue {
    self.init(FormatExpression(.arithmetic(operation, left.expression, .value(right.storeValue))))
  }

  fileprivate init<T: TypedTerm, U: TypedTerm>(
    _ left: T, _ operation: ArithmeticOperator, _ right: U
  ) {
    self.init(FormatExpression(.arithmetic(operation, left.expression, right.expression)))
  }
}
