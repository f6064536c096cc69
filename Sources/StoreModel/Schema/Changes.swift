import StorePredicate

/// New values for the properties of rows in a batch update.
///
///     try await store.batchUpdate(Item.self) {
///       $0.done = true
///       $0.set(\.priority, to: \.priority + 1)
///     }.where(\.done == false)
@dynamicMemberLookup
public struct Changes<Object: StoredObject>: Hashable, Sendable {
  /// The new values in the order in which they were set. If a property is set twice, its last value is used.
  public private(set) var assignments: [BatchUpdate.Assignment] = []

  /// Creates an empty list of changes.
  public init() {}

  /// Sets an attribute to a value. The attribute can't be read.
  public subscript<Value>(
    dynamicMember member: KeyPath<Object.Properties, AttributePath<Object, Value>>
  ) -> Value {
    @available(
      *, unavailable,
      message: "the value of a row isn't available here. Pass an expression to set(_:to:)"
    )
    get { preconditionFailure("unavailable") }
    set { set(member.term.keys, .value(newValue.storeValue)) }
  }

  /// Sets a to-one relationship to an object ID or to nil. The relationship can't be read.
  public subscript<Destination>(
    dynamicMember member: KeyPath<Object.Properties, ToOnePath<Object, Destination>>
  ) -> TypedObjectID<Destination>? {
    @available(
      *, unavailable,
      message: "the value of a row isn't available here. Pass an expression to set(_:to:)"
    )
    get { preconditionFailure("unavailable") }
    set { set(member.term.keys, .value(newValue.storeValue)) }
  }

  /// Sets elements of a composite attribute: `$0.address.city = "Kyoto"`. The elements can't be read.
  public subscript<Composite>(
    dynamicMember member: KeyPath<Object.Properties, CompositePath<Object, Composite>>
  ) -> CompositeChanges<Composite> {
    get { CompositeChanges(keys: member.path.keys) }
    set { for (keys, value) in newValue.values { set(keys, value) } }
  }

  /// Sets all elements of a composite attribute.
  ///
  /// - Parameters:
  ///   - member: The composite attribute.
  ///   - composite: The values of the elements.
  public mutating func set<Composite: CompositeValue>(
    _ member: KeyPath<Object.Properties, CompositePath<Object, Composite>>, to composite: Composite
  ) {
    for (name, value) in composite.propertyValues.sorted(by: { $0.key < $1.key }) {
      set(member.path.keys + KeyChain([name]), .value(value))
    }
  }

  /// Sets an attribute to an expression on the old values of the row.
  ///
  /// - Parameters:
  ///   - member: The attribute.
  ///   - value: The expression.
  public mutating func set<Value>(
    _ member: KeyPath<Object.Properties, AttributePath<Object, Value>>,
    to value: ComputedValue<Object, Value>
  ) {
    set(member.term.keys, value.expression)
  }

  /// Sets an attribute to the value of another property of the row.
  ///
  /// - Parameters:
  ///   - member: The attribute.
  ///   - other: The property whose value is copied.
  public mutating func set<Value, T: TypedTerm>(
    _ member: KeyPath<Object.Properties, AttributePath<Object, Value>>,
    to other: TermPath<Object, T>
  ) where T.Owner == Object, T.Value.Wrapped == Value.Wrapped {
    set(member.term.keys, other.term.expression)
  }

  /// Sets a to-one relationship to a row.
  ///
  /// - Parameters:
  ///   - member: The relationship.
  ///   - row: The row or its object ID.
  public mutating func set<Destination>(
    _ member: KeyPath<Object.Properties, ToOnePath<Object, Destination>>,
    to row: some ObjectReference<Destination>
  ) {
    set(member.term.keys, .value(row.id.storeValue))
  }

  private mutating func set(_ keys: KeyChain, _ value: FormatExpression) {
    assignments.removeAll { $0.property == keys.name }
    assignments.append(BatchUpdate.Assignment(keys.name, value))
  }
}
