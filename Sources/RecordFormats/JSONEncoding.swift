/// The encoding of one value. It collects parts until the value has encoded itself.
final class JSONEncoding: Encoder, SingleValueEncodingContainer {
  /// A part is a value, or an encoding that may still grow.
  enum Part {
    case value(JSONValue)
    case encoding(JSONEncoding)

    var value: JSONValue? {
      switch self {
      case .value(let value): value
      case .encoding(let encoding): encoding.value
      }
    }
  }

  private var scalar: JSONValue?
  private var members: [(key: String, part: Part)]?
  private(set) var elements: [Part]?

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// Returns nil for a value that encodes nothing.
  static func value(of value: some Encodable) throws -> JSONValue? {
    if let scalar = value as? any JSONScalar { return scalar.json }
    let encoding = JSONEncoding()
    try value.encode(to: encoding)
    if value is any UnorderedObject { encoding.members?.sort { $0.key < $1.key } }
    return encoding.value
  }

  private var value: JSONValue? {
    if let elements { return JSONValue(.array(elements.compactMap(\.value))) }
    guard let members else { return scalar }
    return JSONValue(
      .object(members.compactMap { key, part in part.value.map { .init(key: key, value: $0) } }))
  }

  func add(_ part: Part, _ key: any CodingKey) { members?.append((key.stringValue, part)) }

  func add(_ part: Part) { elements?.append(part) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    members = members ?? []
    return KeyedEncodingContainer(JSONMembers(encoding: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    elements = elements ?? []
    return JSONElements(encoding: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encode(_ value: JSONValue) { scalar = value }

  func encodeNil() { scalar = .null }

  /// A flattened optional has the members of the value that it wraps.
  func encode(_ value: some Encodable) throws {
    if members == nil { scalar = try Self.value(of: value) } else { try value.encode(to: self) }
  }
}

private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { encoding.add(.value(.null), key) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    if value is any FlattenedMember { return try value.encode(to: encoding) }
    guard let value = try JSONEncoding.value(of: value) else { return }
    encoding.add(.value(value), key)
  }

  func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  // The standard library has a default for each of these types, which would leave nil out.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) { encode(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) { encode(value, key) }

  private func encode(_ value: (some JSONScalar)?, _ key: Key) {
    encoding.add(.value(value?.json ?? .null), key)
  }

  private func child(_ key: any CodingKey) -> JSONEncoding {
    let child = JSONEncoding()
    encoding.add(.encoding(child), key)
    return child
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { child(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    child(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { child(SuperKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { child(key) }

  private enum SuperKey: CodingKey { case `super` }
}

private struct JSONElements: UnkeyedEncodingContainer {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { [] }
  var count: Int { encoding.elements?.count ?? 0 }

  func encodeNil() { encoding.add(.value(.null)) }

  func encode(_ value: some Encodable) throws {
    if let value = try JSONEncoding.value(of: value) { encoding.add(.value(value)) }
  }

  private func child() -> JSONEncoding {
    let child = JSONEncoding()
    encoding.add(.encoding(child))
    return child
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { child().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }

  func superEncoder() -> any Encoder { child() }
}

private protocol UnorderedObject {}
extension Dictionary: UnorderedObject where Key == String, Value: Encodable {}

/// A value that the encoder writes without asking it to encode itself.
protocol JSONScalar {
  var json: JSONValue { get }
}

extension JSONScalar where Self: BinaryInteger {
  var json: JSONValue { JSONValue(.number("\(self)")) }
}

extension JSONScalar where Self: BinaryFloatingPoint & LosslessStringConvertible {
  var json: JSONValue { JSONValue(isFinite ? .number("\(self)") : .string("\(self)")) }
}

extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
extension Float: JSONScalar {}
extension Double: JSONScalar {}
extension Bool: JSONScalar { var json: JSONValue { JSONValue(.boolean(self)) } }
extension String: JSONScalar { var json: JSONValue { JSONValue(.string(self)) } }
extension JSONValue: JSONScalar { var json: JSONValue { self } }

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
