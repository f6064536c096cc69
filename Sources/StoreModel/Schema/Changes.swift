import StorePredicate

/// New values for the properties of rows, as a batch update takes them.
///
///     try await store.batchUpdate(Item.self) {
///       $0.done = true
///       $0.set(\.priority, to: \.priority + 1)
///     }.where(\.done == false)
@dynamicMemberLookup
public struct Changes<Object: StoredObject>: Hashable, Sendable {
  /// In the order in which they were set; a property that is set twice keeps the last value.
  public private(set) var assignments: [BatchUpdate.Assignment] = []

  public init() {}

  public subscript<Value>(
    dynamicMember member: KeyPath<Object.Properties, AttributePath<Object, Value>>
  ) -> Value {
    @available(
      *, unavailable, message: "a row's value is not known here: set(_:to:) takes expressions"
    )
    get { preconditionFailure("unavailable") }
    set { set(member.term.keys, .value(newValue.storeValue)) }
  }

  public subscript<Destination>(
    dynamicMember member: KeyPath<Object.Properties, ToOnePath<Object, Destination>>
  ) -> TypedObjectID<Destination>? {
    @available(
      *, unavailable, message: "a row's value is not known here: set(_:to:) takes expressions"
    )
    get { preconditionFailure("unavailable") }
    set { set(member.term.keys, .value(newValue.storeValue)) }
  }

  /// Computes the value of each row from what the row is before the update.
  public mutating func set<Value>(
    _ member: KeyPath<Object.Properties, AttributePath<Object, Value>>,
    to value: Computed<Object, Value>
  ) {
    set(member.term.keys, value.expression)
  }

  /// Copies another property of the row.
  public mutating func set<Value, T: Term>(
    _ member: KeyPath<Object.Properties, AttributePath<Object, Value>>,
    to other: TermPath<Object, T>
  ) where T.Owner == Object, T.Value.Wrapped == Value.Wrapped {
    set(member.term.keys, other.term.expression)
  }

  private mutating func set(_ keys: KeyChain, _ value: FormatExpression) {
    assignments.removeAll { $0.property == keys.name }
    assignments.append(BatchUpdate.Assignment(keys.name, value))
  }
}
