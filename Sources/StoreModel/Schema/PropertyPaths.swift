public import StorePredicate

/// An attribute: of the row itself, or of the one that to-one relationships lead to.
public struct AttributePath<Owner: StoredObject, Value: PropertyValue>: Term {
  package let keys: KeyChain

  /// - Parameter names: the name in the model; for an element of a composite that of the composite before.
  public init(_ names: String...) {
    keys = KeyChain(names)
  }

  package init(_ keys: KeyChain) {
    self.keys = keys
  }

  public var expression: FormatExpression { keys.expression }
}

/// A to-one relationship, and the way to what is behind it: `\.category.name` is nil where there is no
/// category.
@dynamicMemberLookup
public struct ToOnePath<Owner: StoredObject, Destination: StoredObject>: Term {
  public typealias Value = TypedObjectID<Destination>?
  public let steps: [RelationshipKey]

  public init(_ name: String) {
    steps = [RelationshipKey(name, to: Destination.self)]
  }

  init(_ steps: [RelationshipKey]) {
    self.steps = steps
  }

  public var expression: FormatExpression { keys.expression }

  public subscript<Member>(
    dynamicMember member: KeyPath<Destination.Properties, AttributePath<Destination, Member>>
  ) -> AttributePath<Owner, Member.Wrapped?> {
    AttributePath(keys + member.term.keys)
  }

  public subscript<Next>(
    dynamicMember member: KeyPath<Destination.Properties, ToOnePath<Destination, Next>>
  ) -> ToOnePath<Owner, Next> {
    ToOnePath<Owner, Next>(steps + member.relationship.steps)
  }

  public subscript<Next>(
    dynamicMember member: KeyPath<Destination.Properties, ToManyPath<Destination, Next>>
  ) -> ToManyPath<Owner, Next> {
    ToManyPath<Owner, Next>(steps + member.relationship.steps)
  }
}

/// A to-many relationship: how many members it has, what they add up to, and conditions on them.
///
///     List.all.where(\.items.count > 3)
///     List.all.where(\.items.any.done == false)
///     Order.all.select(\.number, \.lines.price.sum)
@dynamicMemberLookup
public struct ToManyPath<Owner: StoredObject, Destination: StoredObject>: Hashable, Sendable {
  public let steps: [RelationshipKey]

  public init(_ name: String) {
    steps = [RelationshipKey(name, to: Destination.self)]
  }

  init(_ steps: [RelationshipKey]) {
    self.steps = steps
  }

  /// How many members there are.
  public var count: Computed<Owner, Int> {
    Computed(keys.expression(behind: .count, KeyChain([])))
  }

  /// A condition holds when it does for one member or more.
  public var any: QuantifiedPath<Owner, Destination> { QuantifiedPath(keys, .any) }

  /// A condition holds when it does for every member, and where there is none.
  public var all: QuantifiedPath<Owner, Destination> { QuantifiedPath(keys, .all) }

  public subscript<Member>(
    dynamicMember member: KeyPath<Destination.Properties, AttributePath<Destination, Member>>
  ) -> MemberValues<Owner, Member.Wrapped> {
    MemberValues(owner: keys, keys: member.term.keys)
  }

  public subscript<Next>(
    dynamicMember member: KeyPath<Destination.Properties, ToOnePath<Destination, Next>>
  ) -> MembersPath<Owner, Next> {
    MembersPath<Owner, Next>(steps + member.relationship.steps)
  }

  public subscript<Next>(
    dynamicMember member: KeyPath<Destination.Properties, ToManyPath<Destination, Next>>
  ) -> MembersPath<Owner, Next> {
    MembersPath<Owner, Next>(steps + member.relationship.steps)
  }
}

/// The members of a to-many relationship, any or all of them: the left side of a condition.
@dynamicMemberLookup
public struct QuantifiedPath<Owner: StoredObject, Destination: StoredObject>: Operand {
  public typealias Value = TypedObjectID<Destination>?
  private let keys: KeyChain
  public let modifier: Comparison.Modifier

  init(_ keys: KeyChain, _ modifier: Comparison.Modifier) {
    self.keys = keys
    self.modifier = modifier
  }

  public var expression: FormatExpression { keys.expression }

  public subscript<Member>(
    dynamicMember member: KeyPath<Destination.Properties, AttributePath<Destination, Member>>
  ) -> QuantifiedValue<Owner, Member.Wrapped?> {
    QuantifiedValue(keys: keys + member.term.keys, modifier: modifier)
  }

  public subscript<Next>(
    dynamicMember member: KeyPath<Destination.Properties, ToOnePath<Destination, Next>>
  ) -> QuantifiedPath<Owner, Next> {
    QuantifiedPath<Owner, Next>(keys + member.term.keys, modifier)
  }

  public subscript<Next>(
    dynamicMember member: KeyPath<Destination.Properties, ToManyPath<Destination, Next>>
  ) -> QuantifiedPath<Owner, Next> {
    QuantifiedPath<Owner, Next>(keys + member.relationship.keys, modifier)
  }
}

/// An attribute of any or all members of a to-many relationship.
public struct QuantifiedValue<Owner: StoredObject, Value: PropertyValue>: Operand {
  package let keys: KeyChain
  public let modifier: Comparison.Modifier

  public var expression: FormatExpression { keys.expression }
}

extension ObjectProperties {
  /// The row's own object ID.
  public var objectID: ObjectIDPath<Owner> { ObjectIDPath() }
}

/// The row's own object ID.
public struct ObjectIDPath<Owner: StoredObject>: Term {
  public typealias Value = TypedObjectID<Owner>
  public var expression: FormatExpression { FormatExpression(.selfObject) }
}
