public import StorePredicate

/// A key path whose steps exist in the model.
public struct ResolvedKeyPath: Hashable, Sendable {
  /// One relationship of a key path.
  public struct Step: Hashable, Sendable {
    /// The entity that declares or inherits the relationship.
    public var entity: String
    /// The name of the relationship.
    public var relationship: String
    /// The name of the destination entity.
    public var destination: String
    /// Whether the relationship is to-many.
    public var isToMany: Bool
  }

  /// The last part of a key path, after its relationships.
  public indirect enum Ending: Hashable, Sendable {
    /// The row at the end of the steps: `list`, `SELF`, `list.objectID`.
    case object
    /// An attribute of that row. The path of an element of a composite is `address.city`.
    case attribute(AttributeDescription, path: String)
    /// The entity of that row.
    case entity
    /// `@count` of the members, or an operator such as `@sum.price` over the members.
    case aggregate(CollectionOperator, over: ResolvedKeyPath?)
  }

  /// The name of the entity at which the key path starts.
  public var source: String
  /// The relationships of the key path.
  public var steps: [Step]
  /// The last part of the key path.
  public var ending: Ending
  /// The sub-entity of `destination` that declares the attribute, if conditions around the key path require this
  /// sub-entity.
  package internal(set) var owner: String?
  /// Whether the key path starts at the members of a collection, such as a SUBQUERY, instead of one row.
  public var isOverCollection = false

  /// Creates a key path. Each argument sets the property with the same name.
  public init(source: String, steps: [Step] = [], ending: Ending = .object) {
    self.source = source
    self.steps = steps
    self.ending = ending
  }

  /// The name of the entity at the end of the steps.
  public var destination: String { steps.last?.destination ?? source }

  /// Whether the key path has several values because of a to-many relationship or a collection. It is false if the key
  /// path ends with a collection operator.
  public var isToMany: Bool {
    if case .aggregate = ending { return false }
    return isOverCollection || steps.contains(where: \.isToMany)
  }

  /// The type of the values.
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
  /// The type of the sum of values of this type.
  package var sum: ValueType {
    switch self {
    case .attribute(let type) where type.isInteger: .attribute(.integer64)
    case .attribute(.decimal): self
    default: .attribute(.double)
    }
  }

  /// The type of the average of values of this type.
  package var average: ValueType {
    switch self {
    case .attribute(.decimal), .attribute(.date): self
    default: .attribute(.double)
    }
  }
}
