public import StorePredicate

/// An attribute of a row, of a row that to-one relationships lead to, or of a composite.
public struct AttributePath<Owner, Value: PropertyValue>: Hashable, Sendable {
  package let keys: KeyChain

  /// Creates a path to an attribute.
  ///
  /// - Parameter name: The name in the model.
  public init(_ name: String) {
    keys = KeyChain([name])
  }

  package init(_ keys: KeyChain) {
    self.keys = keys
  }
}

extension AttributePath: TypedOperand, TypedTerm where Owner: StoredObject {
  public var expression: FormatExpression { keys.expression }
}

/// A to-one relationship. Its members are the properties of the destination: `\.category.name` is nil if the row
/// doesn't have a category.
@dynamicMemberLookup
public struct ToOnePath<Owner: StoredObject, Destination: StoredObject>: TypedTerm {
  public typealias Value = TypedObjectID<Destination>?
  public let steps: [RelationshipKey]

  /// Creates a path to a relationship.
  ///
  /// - Parameter name: The name of the relationship in the model.
  public init(_ name: String) {
    steps = [RelationshipKey(name, to: Destination.self)]
  }

  init(_ steps: [RelationshipKey]) {
    self.steps = steps
  }

  public var expression: FormatExpression { keys.expression }

  /// The path to an attribute of the destination.
  public subscript<Member>(
    dynamicMember member: KeyPath<Destination.Properties, AttributePath<Destination, Member>>
  ) -> AttributePath<Owner, Member.Wrapped?> {
    AttributePath(keys + member.term.keys)
  }

  /// The path to a composite attribute of the destination.
  public subscript<Composite>(
    dynamicMember member: KeyPath<Destination.Properties, CompositePath<Destination, Composite>>
  ) -> RelatedComposite<Owner, Composite> {
    RelatedComposite(keys: keys + member.path.keys)
  }

  /// The path to a to-one relationship of the destination.
  public subscript<Next>(
    dynamicMember member: KeyPath<Destination.Properties, ToOnePath<Destination, Next>>
  ) -> ToOnePath<Owner, Next> {
    ToOnePath<Owner, Next>(steps + member.relationship.steps)
  }

  /// The path to a to-many relationship of the destination.
  public subscript<Next>(
    dynamicMember member: KeyPath<Destination.Properties, ToManyPath<Destination, Next>>
  ) -> ToManyPath<Owner, Next> {
    ToManyPath<Owner, Next>(steps + member.relationship.steps)
  }
}

/// A to-many relationship. It can be counted and aggregated, and conditions can apply to its members.
///
///     List.all.where(\.items.count > 3)
///     List.all.where(\.items.any.done == false)
///     Order.all.select(\.number, \.lines.price.sum)
@dynamicMemberLookup
public struct ToManyPath<Owner: StoredObject, Destination: StoredObject>: Hashable, Sendable {
  public let steps: [RelationshipKey]

  /// Creates a path to a relationship.
  ///
  /// - Parameter name: The name of the relationship in the model.
  public init(_ name: String) {
    steps = [RelationshipKey(name, to: Destination.self)]
  }

  init(_ steps: [RelationshipKey]) {
    self.steps = steps
  }

  /// The number of members.
  public var count: ComputedValue<Owner, Int> {
    ComputedValue(keys.expression(behind: .count, KeyChain([])))
  }

  /// The members as the left side of a condition that must be true for at least one of them.
  public var any: QuantifiedPath<Owner, Destination> { QuantifiedPath(keys: keys, modifier: .any) }

  /// The members as the left side of a condition that must be true for all of them. It is also true if there are no
  /// members.
  public var all: QuantifiedPath<Owner, Destination> { QuantifiedPath(keys: keys, modifier: .all) }

  /// The values of an attribute of the members.
  public subscript<Member>(
    dynamicMember member: KeyPath<Destination.Properties, AttributePath<Destination, Member>>
  ) -> MemberValues<Owner, Member.Wrapped> {
    MemberValues(owner: keys, keys: member.term.keys)
  }

  /// A composite attribute of the members.
  public subscript<Composite>(
    dynamicMember member: KeyPath<Destination.Properties, CompositePath<Destination, Composite>>
  ) -> MemberComposite<Owner, Composite> {
    MemberComposite(owner: keys, keys: member.path.keys)
  }

  /// The path to a to-one relationship of the members.
  public subscript<Next>(
    dynamicMember member: KeyPath<Destination.Properties, ToOnePath<Destination, Next>>
  ) -> MembersPath<Owner, Next> {
    MembersPath<Owner, Next>(steps: steps + member.relationship.steps)
  }

  /// The path to a to-many relationship of the members.
  public subscript<Next>(
    dynamicMember member: KeyPath<Destination.Properties, ToManyPath<Destination, Next>>
  ) -> MembersPath<Owner, Next> {
    MembersPath<Owner, Next>(steps: steps + member.relationship.steps)
  }
}

/// Any or all members of a to-many relationship as the left side of a condition.
@dynamicMemberLookup
public struct QuantifiedPath<Owner: StoredObject, Destination: StoredObject>: TypedOperand {
  public typealias Value = TypedObjectID<Destination>?
  let keys: KeyChain
  public let modifier: FormatComparison.Modifier

  public var expression: FormatExpression { keys.expression }

  /// The attribute of the members as the left side of a condition.
  public subscript<Member>(
    dynamicMember member: KeyPath<Destination.Properties, AttributePath<Destination, Member>>
  ) -> QuantifiedValue<Owner, Member.Wrapped?> {
    QuantifiedValue(keys: keys + member.term.keys, modifier: modifier)
  }

  /// A composite attribute of the members.
  public subscript<Composite>(
    dynamicMember member: KeyPath<Destination.Properties, CompositePath<Destination, Composite>>
  ) -> QuantifiedComposite<Owner, Composite> {
    QuantifiedComposite(keys: keys + member.path.keys, modifier: modifier)
  }

  /// The to-one relationship of the members as the left side of a condition.
  public subscript<Next>(
    dynamicMember member: KeyPath<Destination.Properties, ToOnePath<Destination, Next>>
  ) -> QuantifiedPath<Owner, Next> {
    QuantifiedPath<Owner, Next>(keys: keys + member.term.keys, modifier: modifier)
  }

  /// The to-many relationship of the members as the left side of a condition.
  public subscript<Next>(
    dynamicMember member: KeyPath<Destination.Properties, ToManyPath<Destination, Next>>
  ) -> QuantifiedPath<Owner, Next> {
    QuantifiedPath<Owner, Next>(keys: keys + member.relationship.keys, modifier: modifier)
  }
}

/// An attribute of any or all members of a to-many relationship as the left side of a condition.
public struct QuantifiedValue<Owner: StoredObject, Value: PropertyValue>: TypedOperand {
  package let keys: KeyChain
  public let modifier: FormatComparison.Modifier

  public var expression: FormatExpression { keys.expression }
}

extension ObjectProperties where Owner: StoredObject {
  /// The object ID of the row.
  public var objectID: ObjectIDPath<Owner> { ObjectIDPath() }
}

/// The object ID of a row.
public struct ObjectIDPath<Owner: StoredObject>: TypedTerm {
  public typealias Value = TypedObjectID<Owner>
  public var expression: FormatExpression { FormatExpression(.selfObject) }
}
