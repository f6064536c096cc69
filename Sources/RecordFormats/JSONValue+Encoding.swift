extension JSONValue {
  /// Encodes a value. Members of objects keep the order in which the value encodes them. For synthesized
  /// conformances that is the order of the properties, or of `CodingKeys` where the type declares them.
  /// Differences from Foundation's `JSONEncoder`:
  ///
  /// - An optional member that is nil becomes null. `OmittedIfNil` leaves it out.
  /// - `Flattened` puts the members of a value in place of the value.
  /// - Dictionaries are sorted by key.
  /// - A floating-point number that isn't finite becomes text, since JSON has no such number.
  ///
  /// - Precondition: the `encode(to:)` of the value doesn't throw.
  package init(encoding value: some Encodable) {
    do {
      self = try JSONEncoding.value(of: value) ?? .null
    } catch {
      preconditionFailure("a \(type(of: value)) can't be encoded: \(error)")
    }
  }

  package static let null = JSONValue(.null)
}

extension ByteBuffer {
  /// Appends the compact JSON of a value, and a line feed.
  package mutating func append(line value: some Encodable) {
    append(JSONValue(encoding: value), style: .compact)
    append("\n")
  }
}

extension JSONValue: Encodable {
  /// Encodes the value for `init(encoding:)`, which is the only encoder that keeps the digits of numbers.
  package func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? JSONEncoding else {
      let context = EncodingError.Context(
        codingPath: encoder.codingPath, debugDescription: "only JSONValue(encoding:) encodes it")
      throw EncodingError.invalidValue(self, context)
    }
    encoder.encode(self)
  }
}
