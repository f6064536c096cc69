/// A path over relationships alone: `\.shelf`, `\.lines`, `\.lines.product`.
public protocol RelationshipPath<Owner, Destination>: Hashable, Sendable {
  /// The type whose rows it begins at.
  associatedtype Owner: StoredObject
  /// The type whose rows it leads to.
  associatedtype Destination: StoredObject
  /// The relationships on the way, one or more.
  var steps: [RelationshipKey] { get }
}

/// One relationship on the way of a path: its name, and the type that it leads to.
public struct RelationshipKey: Hashable, Sendable {
  package let name: String
  package let destination: any StoredObject.Type

  public init(_ name: String, to destination: any StoredObject.Type) {
    self.name = name
    self.destination = destination
  }

  public static func == (left: Self, right: Self) -> Bool {
    left.name == right.name && left.destination == right.destination
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(ObjectIdentifier(destination))
  }
}

extension RelationshipPath {
  package var keys: KeyChain { KeyChain(steps.map(\.name)) }
}

extension ToOnePath: RelationshipPath {}
extension ToManyPath: RelationshipPath {}

extension KeyPath where Root: ObjectProperties, Value: RelationshipPath {
  /// What the path stands for. The properties have no state of their own.
  package var relationship: Value { Root()[keyPath: self] }
}

/// What stands behind the members of a to-many relationship: `\.lines.product`, for `including`.
@dynamicMemberLookup
public struct MembersPath<Owner: StoredObject, Destination: StoredObject>: RelationshipPath {
  public let steps: [RelationshipKey]

  init(_ steps: [RelationshipKey]) {
    self.steps = steps
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
