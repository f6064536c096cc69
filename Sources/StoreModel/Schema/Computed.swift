public import StorePredicate

/// A value that is computed for each row, such as `\.price * \.amount` or `\.items.count`.
public struct Computed<Owner: StoredObject, Value: PropertyValue>: Term {
  public let expression: FormatExpression

  /// Creates a computed value.
  ///
  /// - Parameter expression: An expression on the row.
  public init(_ expression: FormatExpression) {
    self.expression = expression
  }
}

/// An aggregate value of all rows or of each group, such as `\.price.sum`.
public struct Aggregate<Owner: StoredObject, Value: PropertyValue>: Term {
  public let expression: FormatExpression

  init(_ function: Function, _ value: FormatExpression) {
    expression = FormatExpression(.function(function, [value]))
  }
}

/// A type whose values can be summed.
public protocol SummableValue: StorableValue {
  /// A type that is large enough for the sum of many values.
  associatedtype Sum: StorableValue = Self
}

extension Term where Value.Wrapped: SummableValue {
  /// The sum over the rows of the request or of each group. It is 0 if there are no rows. Nil values are ignored.
  public var sum: Aggregate<Owner, Value.Wrapped.Sum> { Aggregate(.sum, expression) }

  /// The mean over the rows of the request or of each group. Nil values are ignored.
  public var average: Aggregate<Owner, Double?> { Aggregate(.average, expression) }

  /// The median over the rows of the request or of each group. For an even number of values, it is the mean of the two
  /// middle values. Nil values are ignored.
  public var median: Aggregate<Owner, Double?> { Aggregate(.median, expression) }

  /// The population standard deviation over the rows of the request or of each group. Nil values are ignored.
  public var stddev: Aggregate<Owner, Double?> { Aggregate(.standardDeviation, expression) }
}

extension Term {
  /// The smallest value of the rows of the request or of each group.
  public var min: Aggregate<Owner, Value.Wrapped?> { Aggregate(.min, expression) }
  /// The largest value of the rows of the request or of each group.
  public var max: Aggregate<Owner, Value.Wrapped?> { Aggregate(.max, expression) }
  /// The number of rows with a value.
  public var count: Aggregate<Owner, Int> { Aggregate(.count, expression) }
}

/// The values of an attribute of all members of a to-many relationship. An aggregate reduces them to one value.
public struct MemberValues<Owner: StoredObject, Value: StorableValue>: Hashable, Sendable {
  package let owner: KeyChain
  package let keys: KeyChain

  /// The smallest value of the members.
  public var min: Computed<Owner, Value?> { Computed(owner.expression(behind: .min, keys)) }
  /// The largest value of the members.
  public var max: Computed<Owner, Value?> { Computed(owner.expression(behind: .max, keys)) }
}

extension MemberValues where Value: SummableValue {
  /// The sum of the values of the members.
  public var sum: Computed<Owner, Value.Sum> { Computed(owner.expression(behind: .sum, keys)) }
  /// The mean of the values of the members.
  public var average: Computed<Owner, Double?> {
    Computed(owner.expression(behind: .average, keys))
  }
  /// The median of the values of the members.
  public var median: Computed<Owner, Double?> { folded(by: .median) }
  /// The population standard deviation of the values of the members.
  public var stddev: Computed<Owner, Double?> { folded(by: .standardDeviation) }

  /// Returns a call of a function for which no collection operator exists, such as `median(items.price)`.
  private func folded(by function: Function) -> Computed<Owner, Double?> {
    Computed(FormatExpression(.function(function, [(owner + keys).expression])))
  }
}
