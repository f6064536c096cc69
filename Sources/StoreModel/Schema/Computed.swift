public import StorePredicate

/// A value that is computed for each row: `\.price * \.amount`, `\.items.count`.
public struct Computed<Owner: StoredObject, Value: PropertyValue>: Term {
  public let expression: FormatExpression

  public init(_ expression: FormatExpression) {
    self.expression = expression
  }
}

/// One value of all rows, or of each group: `\.price.sum`.
public struct Aggregate<Owner: StoredObject, Value: PropertyValue>: Term {
  public let expression: FormatExpression

  init(_ function: Function, _ value: FormatExpression) {
    expression = FormatExpression(.function(function, [value]))
  }
}

/// A type whose values have a sum.
public protocol SummableValue: StorableValue {
  /// A type that takes the sum of many.
  associatedtype Sum: StorableValue = Self
}

extension Term where Value.Wrapped: SummableValue {
  /// The sum over the rows of the request or of each group; 0 where there are none. Nil is left out.
  public var sum: Aggregate<Owner, Value.Wrapped.Sum> { Aggregate(.sum, expression) }

  /// The mean over the rows of the request or of each group. Nil is left out.
  public var average: Aggregate<Owner, Double?> { Aggregate(.average, expression) }

  /// The median over the rows of the request or of each group: the mean of the two values in the middle
  /// where their number is even. Nil is left out.
  public var median: Aggregate<Owner, Double?> { Aggregate(.median, expression) }

  /// The standard deviation of the rows of the request or of each group as a whole population. Nil is
  /// left out.
  public var stddev: Aggregate<Owner, Double?> { Aggregate(.standardDeviation, expression) }
}

extension Term {
  public var min: Aggregate<Owner, Value.Wrapped?> { Aggregate(.min, expression) }
  public var max: Aggregate<Owner, Value.Wrapped?> { Aggregate(.max, expression) }
  /// How many rows have a value.
  public var count: Aggregate<Owner, Int> { Aggregate(.count, expression) }
}

/// An attribute of all members of a to-many relationship, to be folded to one value.
public struct MemberValues<Owner: StoredObject, Value: StorableValue>: Hashable, Sendable {
  package let owner: KeyChain
  package let keys: KeyChain

  public var min: Computed<Owner, Value?> { Computed(owner.expression(behind: .min, keys)) }
  public var max: Computed<Owner, Value?> { Computed(owner.expression(behind: .max, keys)) }
}

extension MemberValues where Value: SummableValue {
  public var sum: Computed<Owner, Value.Sum> { Computed(owner.expression(behind: .sum, keys)) }
  public var average: Computed<Owner, Double?> {
    Computed(owner.expression(behind: .average, keys))
  }
  public var median: Computed<Owner, Double?> { folded(by: .median) }
  public var stddev: Computed<Owner, Double?> { folded(by: .standardDeviation) }

  /// No collection operator does what these functions do: `median(items.price)`.
  private func folded(by function: Function) -> Computed<Owner, Double?> {
    Computed(FormatExpression(.function(function, [(owner + keys).expression])))
  }
}
