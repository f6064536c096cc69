public import StorePredicate

/// A Swift type of attributes and to-one relationships, optional or not.
public protocol PropertyValue: Hashable, Sendable {
  /// The type without optionality: `String` for `String` and for `String?`.
  associatedtype Wrapped: StorableValue
  /// As predicates and batch requests know it.
  var storeValue: StorePredicate.Value { get }
  /// Makes one of what a row has; nil is NULL.
  ///
  /// - Throws: what the row throws for NULL where a value is required.
  static func property<Row: RowReader>(of value: Wrapped?, in row: Row) throws -> Self
}

/// A type of values that a store can hold.
///
/// Enumerations with raw values need no more than the conformance:
///
///     extension Priority: StorableValue {}
public protocol StorableValue: PropertyValue where Wrapped == Self {
  /// Reads the row's next value; nil is NULL.
  static func read<Row: RowReader>(from row: inout Row) throws -> Self?
}

extension StorableValue {
  @inlinable
  public static func property<Row: RowReader>(of value: Self?, in row: Row) throws -> Self {
    guard let value else { throw row.mismatch(.missing) }
    return value
  }
}

extension Optional: PropertyValue where Wrapped: StorableValue {
  public var storeValue: StorePredicate.Value { self?.storeValue ?? .null }

  @inlinable
  public static func property<Row: RowReader>(of value: Wrapped?, in row: Row) throws -> Self {
    value
  }
}

extension StorableValue where Self: RawRepresentable, RawValue: StorableValue {
  public var storeValue: StorePredicate.Value { rawValue.storeValue }

  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    guard let raw = try RawValue.read(from: &row) else { return nil }
    guard let value = Self(rawValue: raw) else {
      throw row.mismatch(.unreadable(type: String(describing: Self.self)))
    }
    return value
  }
}

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
