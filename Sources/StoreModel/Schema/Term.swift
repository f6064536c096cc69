public import StorePredicate

/// The left side of a condition: a property of a row, one that relationships lead to, an aggregate, or
/// a computed value.
public protocol Operand<Owner, Value>: Hashable, Sendable {
  /// The type whose rows it is asked of.
  associatedtype Owner: StoredObject
  associatedtype Value: PropertyValue
  var expression: FormatExpression { get }
  /// How many members of a to-many on the way must satisfy a condition.
  var modifier: Comparison.Modifier { get }
}

/// An operand with one value for each row, or for each group of rows: it can also be selected, sorted by and
/// grouped by.
public protocol Term<Owner, Value>: Operand {}

extension Term {
  public var modifier: Comparison.Modifier { .direct }
}

/// What `\.category.name` is, where the rows' type is known.
public typealias TermPath<Owner: StoredObject, T: Operand> = KeyPath<Owner.Properties, T>

extension KeyPath where Root: ObjectProperties, Value: Operand {
  /// What the path stands for. The properties have no state of their own.
  package var term: Value { Root()[keyPath: self] }
}

/// Names on the way from a row.
package struct KeyChain: Hashable, Sendable {
  private var keys: [String]

  init(_ keys: [String]) {
    self.keys = keys
  }

  /// As batch requests name a property: `address.city`.
  package var name: String { keys.joined(separator: ".") }

  var expression: FormatExpression { expression(behind: nil, KeyChain([])) }

  static func + (first: KeyChain, second: KeyChain) -> KeyChain {
    KeyChain(first.keys + second.keys)
  }

  /// `orders.@sum.total`: the operator stands behind the collection, its own keys behind it.
  func expression(
    behind collection: CollectionOperator?, _ inner: KeyChain
  ) -> FormatExpression {
    var steps = keys.map { KeyPathStep(.key($0)) }
    if let collection { steps.append(KeyPathStep(.collection(collection))) }
    steps += inner.keys.map { KeyPathStep(.key($0)) }
    return FormatExpression(.keyPath(base: FormatExpression(.selfObject), steps))
  }
}

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
