public import StorePredicate

/// One row of a store as generated types read it: its values from left to right. Nil is NULL.
public protocol RowReader {
  mutating func readInteger() throws -> Int64?
  mutating func readReal() throws -> Double?
  mutating func readText() throws -> String?
  /// - Parameter body: makes something of the bytes, which are there until it returns.
  mutating func readBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result?
  /// A number as it is stored: `integer` or `double`.
  mutating func readNumber() throws -> Value?
  mutating func readObjectID() throws -> ObjectID?
  /// What to throw when the value that was read last is none that its property can have.
  func mismatch(_ problem: RowMismatch) -> any Error
}

/// Why a stored value is none of its property's Swift type.
public enum RowMismatch: Hashable, Sendable {
  /// NULL in what the model requires.
  case missing
  /// The number, text or bytes are no value of the type with this name.
  case unreadable(type: String)
}

extension RowReader {
  /// The next value.
  @inlinable
  public mutating func read<Property: PropertyValue>(
    _: Property.Type = Property.self
  ) throws -> Property {
    let value = try Property.Wrapped.read(from: &self)
    return try Property.property(of: value, in: self)
  }
}
