public import StorePredicate

/// A key path whose every step the model knows.
public struct ResolvedKeyPath: Hashable, Sendable {
  /// One relationship on the way.
  public struct Step: Hashable, Sendable {
    /// The entity on which the relationship is looked up; it may inherit it.
    public var entity: String
    public var relationship: String
    public var destination: String
    public var isToMany: Bool
  }

  public indirect enum Ending: Hashable, Sendable {
    /// The row that the steps lead to: `list`, `SELF`, `list.objectID`.
    case object
    /// An attribute of that row. A composite's element has its path: `address.city`.
    case attribute(Attribute, path: String)
    /// The row's entity.
    case entity
    /// `@count` of the collection, or `@sum.price` … over its members.
    case aggregate(CollectionOperator, over: ResolvedKeyPath?)
  }

  /// The entity that it starts from.
  public var source: String
  public var steps: [Step]
  public var ending: Ending
  /// The entity that has the attribute at the end, where `destination` has not: one below it, which the
  /// conditions around the key path require.
  package internal(set) var owner: String?
  /// It starts from the members of a SUBQUERY, not from one row.
  public var isOverCollection = false

  public init(source: String, steps: [Step] = [], ending: Ending = .object) {
    self.source = source
    self.steps = steps
    self.ending = ending
  }

  /// The entity that the steps lead to.
  public var destination: String { steps.last?.destination ?? source }

  /// It leads to several values, not folded into one by a collection operator.
  public var isToMany: Bool {
    if case .aggregate = ending { return false }
    return isOverCollection || steps.contains(where: \.isToMany)
  }

  public var type: ValueType {
    let single: ValueType =
      switch ending {
      case .object: .object(destination)
      case .attribute(let attribute, _): .attribute(attribute.type)
      case .entity: .entity
      case .aggregate(let function, let path): Self.type(of: function, over: path)
      }
    return isToMany ? .collection(of: single) : single
  }

  private static func type(
    of function: CollectionOperator, over path: ResolvedKeyPath?
  ) -> ValueType {
    let member = path?.type.element ?? .any
    return switch function {
    case .count: .attribute(.integer64)
    case .sum: member.sum
    case .average: member.average
    case .min, .max: member
    case .distinctUnionOfObjects, .unionOfObjects, .distinctUnionOfArrays, .unionOfArrays,
      .distinctUnionOfSets:
      .collection(of: member)
    }
  }
}

extension ValueType {
  /// The type of a sum of such values.
  package var sum: ValueType {
    switch self {
    case .attribute(let type) where type.isInteger: .attribute(.integer64)
    case .attribute(.decimal): self
    default: .attribute(.double)
    }
  }

  /// The type of the average of such values.
  package var average: ValueType {
    switch self {
    case .attribute(.decimal), .attribute(.date): self
    default: .attribute(.double)
    }
  }
}
