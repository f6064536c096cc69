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
