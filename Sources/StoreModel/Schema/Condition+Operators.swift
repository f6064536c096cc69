import StorePredicate

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
