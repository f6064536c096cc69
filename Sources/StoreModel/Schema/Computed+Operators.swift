import StorePredicate

// `\.price * 2`, `\.price * \.amount`: nil where a part is nil.

public func + <Owner, T: Term>(left: TermPath<Owner, T>, right: T.Value.Wrapped) -> Computed<
  Owner, T.Value
>
where T.Owner == Owner, T.Value.Wrapped: SummableValue { .init(left, .add, right) }
public func - <Owner, T: Term>(left: TermPath<Owner, T>, right: T.Value.Wrapped) -> Computed<
  Owner, T.Value
>
where T.Owner == Owner, T.Value.Wrapped: SummableValue { .init(left, .subtract, right) }
public func * <Owner, T: Term>(left: TermPath<Owner, T>, right: T.Value.Wrapped) -> Computed<
  Owner, T.Value
>
where T.Owner == Owner, T.Value.Wrapped: SummableValue { .init(left, .multiply, right) }
public func / <Owner, T: Term>(left: TermPath<Owner, T>, right: T.Value.Wrapped) -> Computed<
  Owner, T.Value
>
where T.Owner == Owner, T.Value.Wrapped: SummableValue { .init(left, .divide, right) }

public func + <Owner, T: Term, U: Term>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
) -> Computed<Owner, T.Value.Wrapped?>
where
  T.Owner == Owner, U.Owner == Owner, T.Value.Wrapped: SummableValue, U.Value.Wrapped: SummableValue
{
  .init(left, .add, right)
}
public func - <Owner, T: Term, U: Term>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
) -> Computed<Owner, T.Value.Wrapped?>
where
  T.Owner == Owner, U.Owner == Owner, T.Value.Wrapped: SummableValue, U.Value.Wrapped: SummableValue
{
  .init(left, .subtract, right)
}
public func * <Owner, T: Term, U: Term>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
) -> Computed<Owner, T.Value.Wrapped?>
where
  T.Owner == Owner, U.Owner == Owner, T.Value.Wrapped: SummableValue, U.Value.Wrapped: SummableValue
{
  .init(left, .multiply, right)
}
public func / <Owner, T: Term, U: Term>(
  left: TermPath<Owner, T>, right: TermPath<Owner, U>
) -> Computed<Owner, T.Value.Wrapped?>
where
  T.Owner == Owner, U.Owner == Owner, T.Value.Wrapped: SummableValue, U.Value.Wrapped: SummableValue
{
  .init(left, .divide, right)
}

extension Computed {
  fileprivate init<T: Term>(
    _ left: TermPath<Owner, T>, _ operation: ArithmeticOperator, _ right: T.Value.Wrapped
  ) {
    self.init(Expression(.arithmetic(operation, left.term.expression, .value(right.storeValue))))
  }

  fileprivate init<T: Term, U: Term>(
    _ left: TermPath<Owner, T>, _ operation: ArithmeticOperator, _ right: TermPath<Owner, U>
  ) {
    self.init(Expression(.arithmetic(operation, left.term.expression, right.term.expression)))
  }
}
