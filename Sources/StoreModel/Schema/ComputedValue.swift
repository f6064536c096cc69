public import StorePredicate

/// A value that is computed for each row, such as `\.price * \.amount` or `\.items.count`.
public struct ComputedValue<Owner: StoredObject, Value: PropertyValue>: TypedTerm {
  public let expression: FormatExpression

  /// Creates a computed value.
  ///
  /// - Parameter expression: An expression on the row.
  public init(_ expression: FormatExpression) {
    self.expression = expression
  }
}

/// An aggregate value of all rows or of each group, such as `\.price.sum`.
public struct AggregateValue<Owner: StoredObject, Value: PropertyValue>: TypedTerm {
  public let expression: FormatExpression

  init(_ function: FormatFunction, _ value: FormatExpression) {
    expression = FormatExpression(.function(function, [value]))
  }
}

/// A type whose values can be summed.
public protocol SummableValue: StorableValue {
  /// A type that is large enough for the sum of many values.
  associatedtype Sum: StorableValue = Self
}

extension TypedTerm where Value.Wrapped: SummableValue {
  /// The sum over the rows of the request or of each group. It is 0 if there are no rows. Nil values are ignored.
  public var sum: AggregateValue<Owner, Value.Wrapped.Sum> { AggregateValue(.sum, expression) }

  /// The mean over the rows of the request or of each group. Nil values are ignored.
  public var average: AggregateValue<Owner, Double?> { AggregateValue(.average, expression) }

  /// The median over the rows of the request or of each group. For an even number of values, it is the mean of the two
  /// middle values. Nil values are ignored.
  public var median: AggregateValue<Owner, Double?> { AggregateValue(.median, expression) }

  /// The population standard deviation over the rows of the request or of each group. Nil values are ignored.
  public var stddev: AggregateValue<Owner, Double?> {
    AggregateValue(.standardDeviation, expression)
  }
}

extension TypedTerm {
  /// The smallest value of the rows of the request or of each group.
  public var min: AggregateValue<Owner, Value.Wrapped?> { AggregateValue(.min, expression) }
  /// The largest value of the rows of the request or of each group.
  public var max: AggregateValue<Owner, Value.Wrapped?> { AggregateValue(.max, expression) }
  /// The number of rows with a value.
  public var count: AggregateValue<Owner, Int> { AggregateValue(.count, expression) }
}

/// The values of an attribute of all members of a to-many relationship. An aggregate reduces them to one value.
public struct MemberValues<Owner: StoredObject, Value: StorableValue>: Hashable, Sendable {
  package let owner: KeyChain
  package let keys: KeyChain

  /// The smallest value of the members.
  public var min: ComputedValue<Owner, Value?> {
    ComputedValue(owner.expression(behind: .min, keys))
  }
  /// The largest value of the members.
  public var max: ComputedValue<Owner, Value?> {
    ComputedValue(owner.expression(behind: .max, keys))
  }
}

extension MemberValues where Value: SummableValue {
  /// The sum of the values of the members.
  public var sum: ComputedValue<Owner, Value.Sum> {
    ComputedValue(owner.expression(behind: .sum, keys))
  }
  /// The mean of the values of the members.
  public var average: ComputedValue<Owner, Double?> {
    ComputedValue(owner.expression(behind: .average, keys))
  }
  /// The median of the values of the members.
  public var median: ComputedValue<Owner, Double?> { folded(by: .median) }
  /// The population standard deviation of the values of the members.
  public var stddev: ComputedValue<Owner, Double?> { folded(by: .standardDeviation) }

  /// Returns a call of a function for which no collection operator exists, such as `median(items.price)`.
  private func folded(by function: FormatFunction) -> ComputedValue<Owner, Double?> {
    ComputedValue(FormatExpression(.function(function, [(owner + keys).expression])))
  }
}
