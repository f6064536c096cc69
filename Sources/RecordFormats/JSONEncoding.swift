/// An encoder that collects the scalar, members or elements of one value, and converts them to a `JSONValue`.
final class JSONEncoding: Encoder, SingleValueEncodingContainer {
  private var scalar: JSONValue?
  private var members: [JSONValue.Member]?
  private var elements: [JSONValue]?
  /// The nested encodings, which can still change, with their indices in `members` or `elements`. A null reserves the
  /// position of each.
  private var parts: [(index: Int, encoding: JSONEncoding)] = []

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { elements?.count ?? 0 }

  /// Returns the JSON, or nil for a value that doesn't encode anything.
  static func value(of value: some Encodable) throws -> JSONValue? {
    try self.value(of: value, value as? any SpecialEncoding)
  }

  static func value(
    of value: some Encodable, _ special: (any SpecialEncoding)?
  ) throws -> JSONValue? {
    if let special, let scalar = special as? any JSONScalar { return scalar.json }
    let encoding = JSONEncoding()
    try value.encode(to: encoding)
    if let special, special is any UnorderedObject { encoding.members?.sort { $0.key < $1.key } }
    return encoding.value
  }

  private var value: JSONValue? {
    // The loop begins at the end, because removing an empty part shifts the indices after it.
    for (index, encoding) in parts.reversed() {
      switch (encoding.value, members != nil) {
      case (let part?, true): members?[index].value = part
      case (let part?, false): elements?[index] = part
      case (nil, true): members?.remove(at: index)
      case (nil, false): elements?.remove(at: index)
      }
    }
    parts = []
    if let elements { return JSONValue(.array(elements)) }
    return members.map { JSONValue(.object($0)) } ?? scalar
  }

  func add(_ value: JSONValue, _ key: any CodingKey) {
    members?.append(JSONValue.Member(key: key.stringValue, value: value))
  }

  func add(_ value: JSONValue) { elements?.append(value) }

  func part(_ key: any CodingKey) -> JSONEncoding {
    let part = JSONEncoding()
    parts.append((members?.count ?? 0, part))
    add(.null, key)
    return part
  }

  func part() -> JSONEncoding {
    let part = JSONEncoding()
    parts.append((count, part))
    add(.null)
    return part
  }

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

  /// Encodes a value. If it is the wrapped value of a `Flattened` optional, its members are added to the existing
  /// members.
  func encode(_ value: some Encodable) throws {
    if members == nil { scalar = try Self.value(of: value) } else { try value.encode(to: self) }
  }
}

private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { encoding.add(.null, key) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    let special = value as? any SpecialEncoding
    if let special, special is any FlattenedMember { return try value.encode(to: encoding) }
    guard let value = try JSONEncoding.value(of: value, special) else { return }
    encoding.add(value, key)
  }

  func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
  }

  // Most members have these types, which don't require a check of the type.
  func encode(_ value: Bool, forKey key: Key) { encoding.add(value.json, key) }
  func encode(_ value: String, forKey key: Key) { encoding.add(value.json, key) }
  func encode(_ value: Double, forKey key: Key) { encoding.add(value.json, key) }
  func encode(_ value: Int, forKey key: Key) { encoding.add(value.json, key) }
  func encode(_ value: Int64, forKey key: Key) { encoding.add(value.json, key) }

  // For these types, the defaults of the standard library would omit nil.
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
    encoding.add(value?.json ?? .null, key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { encoding.part(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoding.part(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoding.part(SuperKey.super) }

  func superEncoder(forKey key: Key) -> any Encoder { encoding.part(key) }

  private enum SuperKey: CodingKey { case `super` }
}

private struct JSONElements: UnkeyedEncodingContainer {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { [] }
  var count: Int { encoding.count }

  func encodeNil() { encoding.add(.null) }

  func encode(_ value: some Encodable) throws {
    if let value = try JSONEncoding.value(of: value) { encoding.add(value) }
  }

  func encode(_ value: String) { encoding.add(value.json) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { encoding.part().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoding.part().unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoding.part() }
}

/// A type that the encoder treats in a special way. For other types, a single check for this protocol is enough.
protocol SpecialEncoding {}

private protocol UnorderedObject: SpecialEncoding {}
extension Dictionary: SpecialEncoding, UnorderedObject where Key == String, Value: Encodable {}

/// A value that the encoder writes without calling `encode(to:)`.
protocol JSONScalar: SpecialEncoding {
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

/// A member of an object that is omitted if it is nil.
@propertyWrapper package struct OmittedIfNil<Value: Encodable>: Encodable {
  package var wrappedValue: Value?

  package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  package func encode(to encoder: any Encoder) throws {
    guard let wrappedValue else { return }
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

/// A member of an object that is replaced with the members of its value. Nil has no members.
@propertyWrapper package struct Flattened<Value: Encodable>: Encodable {
  package var wrappedValue: Value

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

protocol FlattenedMember: SpecialEncoding {}

extension Flattened: FlattenedMember {}
