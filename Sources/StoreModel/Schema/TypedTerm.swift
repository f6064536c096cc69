public import StorePredicate

/// The left side of a condition: a property of a row or of a related row, an aggregate, or a computed value.
public protocol TypedOperand<Owner, Value>: Hashable, Sendable {
  /// The type of the rows.
  associatedtype Owner: StoredObject
  /// The type of the values.
  associatedtype Value: PropertyValue
  /// The untyped expression.
  var expression: FormatExpression { get }
  /// Whether a condition must be true for any or for all members of a to-many relationship; `direct` for one value.
  var modifier: FormatComparison.Modifier { get }
}

/// An operand with one value for each row or group. A request can select it, and sort and group rows by it.
public protocol TypedTerm<Owner, Value>: TypedOperand {}

extension TypedTerm {
  public var modifier: FormatComparison.Modifier { .direct }
}

/// A key path such as `\.category.name`, from the properties of a row type to an operand.
public typealias TermPath<Owner: StoredObject, T: TypedOperand> = KeyPath<Owner.Properties, T>

extension KeyPath where Root: ObjectProperties, Value: TypedOperand {
  /// The operand of the key path. Properties don't have state, so the key path can be evaluated with any instance.
  package var term: Value { Root()[keyPath: self] }
}

extension KeyPath where Root: ObjectProperties {
  /// The path at the end of the key path. Properties don't have state, so the key path can be evaluated with any
  /// instance.
  var path: Value { Root()[keyPath: self] }
}

/// The names in a key path from a row.
package struct KeyChain: Hashable, Sendable {
  private var keys: [String]

  init(_ keys: [String]) {
    self.keys = keys
  }

  /// The name of the property in batch requests, such as `address.city`.
  package var name: String { keys.joined(separator: ".") }

  var expression: FormatExpression { expression(behind: nil, KeyChain([])) }

  static func + (first: KeyChain, second: KeyChain) -> KeyChain {
    KeyChain(first.keys + second.keys)
  }

  /// Returns the expression of this path, followed by the operator and the keys of `inner`: `orders.@sum.total`.
  func expression(
    behind collection: CollectionOperator?, _ inner: KeyChain
  ) -> FormatExpression {
    var steps = keys.map { KeyPathStep(.key($0)) }
    if let collection { steps.append(KeyPathStep(.collection(collection))) }
    steps += inner.keys.map { KeyPathStep(.key($0)) }
    return FormatExpression(.keyPath(base: FormatExpression(.selfObject), steps))
  }
}

/// A path that consists only of relationships: `\.shelf`, `\.lines`, `\.lines.product`.
public protocol RelationshipPath<Owner, Destination>: Hashable, Sendable {
  /// The type of the rows at the start.
  associatedtype Owner: StoredObject
  /// The type of the rows at the end.
  associatedtype Destination: StoredObject
  /// The relationships of the path, at least one.
  var steps: [RelationshipKey] { get }
}

/// One relationship of a path, with the type of its destination.
public struct RelationshipKey: Hashable, Sendable {
  package let name: String
  package let destination: any StoredObject.Type

  /// Creates a step of a path.
  ///
  /// - Parameters:
  ///   - name: The name of the relationship in the model.
  ///   - destination: The type of the destination.
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
  /// The relationship of the key path. Properties don't have state, so the key path can be evaluated with any instance.
  package var relationship: Value { Root()[keyPath: self] }
}

/// A path to a relationship of the members of a to-many relationship, such as `\.lines.product`. The method
/// `including` of queries accepts it.
@dynamicMemberLookup
public struct MembersPath<Owner: StoredObject, Destination: StoredObject>: RelationshipPath {
  public let steps: [RelationshipKey]

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
