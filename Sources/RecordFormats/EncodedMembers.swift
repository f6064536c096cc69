/// A member of an object that is left out when it's nil.
@propertyWrapper package struct OmittedIfNil<Value: Encodable>: Encodable {
  package var wrappedValue: Value?

  package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  package func encode(to encoder: any Encoder) throws {
    guard let wrappedValue else { return }
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

/// A member of an object that is replaced by the members of its value. Nil has no members.
@propertyWrapper package struct Flattened<Value: Encodable>: Encodable {
  package var wrappedValue: Value

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

protocol FlattenedMember {}

extension Flattened: FlattenedMember {}
