public import StorePredicate

/// A Swift type for the values of a composite attribute. Its properties are the elements of the composite.
/// `storetool generate` writes such types from a model.
public protocol CompositeValue: Hashable, Sendable {
  /// The elements that requests can use. Key paths of this type are the typed key paths of the composite.
  associatedtype Properties: ObjectProperties where Properties.Owner == Self

  /// Reads the values of the elements from a row, in the order of their declaration.
  ///
  /// - Parameter row: The row to read from.
  /// - Throws: The error of the row if a value can't be converted to the type of its element.
  init(row: inout some RowReader) throws

  /// The values of the elements, by name. The name of an element of a nested composite is a path, such as
  /// `printed.city`.
  var propertyValues: [String: DataValue] { get }
}

/// A composite attribute of a row or of another composite. Its members are its elements: `\.address.city`.
///
///     Customer.all.where(\.address.city == "Kyoto").ordered(by: \.address.street)
@dynamicMemberLookup
public struct CompositePath<Owner, Composite: CompositeValue>: Hashable, Sendable {
  let keys: KeyChain

  /// Creates a path to a composite attribute.
  ///
  /// - Parameter name: The name in the model.
  public init(_ name: String) {
    keys = KeyChain([name])
  }

  init(_ keys: KeyChain) {
    self.keys = keys
  }

  /// The path to an element.
  public subscript<Value>(
    dynamicMember member: KeyPath<Composite.Properties, AttributePath<Composite, Value>>
  ) -> AttributePath<Owner, Value> {
    AttributePath(keys + member.path.keys)
  }

  /// The path to a nested composite.
  public subscript<Inner>(
    dynamicMember member: KeyPath<Composite.Properties, CompositePath<Composite, Inner>>
  ) -> CompositePath<Owner, Inner> {
    CompositePath<Owner, Inner>(keys + member.path.keys)
  }
}

/// A composite attribute of a row that to-one relationships lead to. Its elements are nil if there is no such row:
/// `\.customer.address.city`.
@dynamicMemberLookup
public struct RelatedComposite<Owner: StoredObject, Composite: CompositeValue>: Hashable, Sendable {
  let keys: KeyChain

  /// The path to an element.
  public subscript<Value>(
    dynamicMember member: KeyPath<Composite.Properties, AttributePath<Composite, Value>>
  ) -> AttributePath<Owner, Value.Wrapped?> {
    AttributePath(keys + member.path.keys)
  }

  /// The path to a nested composite.
  public subscript<Inner>(
    dynamicMember member: KeyPath<Composite.Properties, CompositePath<Composite, Inner>>
  ) -> RelatedComposite<Owner, Inner> {
    RelatedComposite<Owner, Inner>(keys: keys + member.path.keys)
  }
}

/// A composite attribute of all members of a to-many relationship. An aggregate reduces the values of an element to one
/// value: `\.customers.address.year.max`.
@dynamicMemberLookup
public struct MemberComposite<Owner: StoredObject, Composite: CompositeValue>: Hashable, Sendable {
  let owner: KeyChain
  let keys: KeyChain

  /// The values of an element.
  public subscript<Value>(
    dynamicMember member: KeyPath<Composite.Properties, AttributePath<Composite, Value>>
  ) -> MemberValues<Owner, Value.Wrapped> {
    MemberValues(owner: owner, keys: keys + member.path.keys)
  }

  /// A nested composite.
  public subscript<Inner>(
    dynamicMember member: KeyPath<Composite.Properties, CompositePath<Composite, Inner>>
  ) -> MemberComposite<Owner, Inner> {
    MemberComposite<Owner, Inner>(owner: owner, keys: keys + member.path.keys)
  }
}

/// A composite attribute of any or all members of a to-many relationship. Its elements are left sides of conditions:
/// `\.customers.any.address.city == "Kyoto"`.
@dynamicMemberLookup
public struct QuantifiedComposite<Owner: StoredObject, Composite: CompositeValue>: Hashable,
  Sendable
{
  let keys: KeyChain
  let modifier: FormatComparison.Modifier

  /// The element as the left side of a condition.
  public subscript<Value>(
    dynamicMember member: KeyPath<Composite.Properties, AttributePath<Composite, Value>>
  ) -> QuantifiedValue<Owner, Value.Wrapped?> {
    QuantifiedValue(keys: keys + member.path.keys, modifier: modifier)
  }

  /// A nested composite.
  public subscript<Inner>(
    dynamicMember member: KeyPath<Composite.Properties, CompositePath<Composite, Inner>>
  ) -> QuantifiedComposite<Owner, Inner> {
    QuantifiedComposite<Owner, Inner>(keys: keys + member.path.keys, modifier: modifier)
  }
}

/// New values for the elements of a composite attribute in an update.
@dynamicMemberLookup
public struct CompositeChanges<Composite: CompositeValue> {
  let keys: KeyChain
  private(set) var values: [(KeyChain, FormatExpression)] = []

  init(keys: KeyChain) {
    self.keys = keys
  }

  /// Sets an element to a value. The element can't be read.
  public subscript<Value>(
    dynamicMember member: KeyPath<Composite.Properties, AttributePath<Composite, Value>>
  ) -> Value {
    @available(
      *, unavailable,
      message: "the value of a row isn't available here. Pass an expression to set(_:to:)"
    )
    get { preconditionFailure("unavailable") }
    set { values.append((keys + member.path.keys, .value(newValue.storeValue))) }
  }

  /// Sets elements of a nested composite.
  public subscript<Inner>(
    dynamicMember member: KeyPath<Composite.Properties, CompositePath<Composite, Inner>>
  ) -> CompositeChanges<Inner> {
    get { CompositeChanges<Inner>(keys: keys + member.path.keys) }
    set { values += newValue.values }
  }
}
