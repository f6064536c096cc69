public import StorePredicate

/// A Swift type for attributes or to-one relationships, optional or not.
public protocol PropertyValue: Hashable, Sendable {
  /// The type without optionality: `String` for `String` and for `String?`.
  associatedtype Wrapped: StorableValue
  /// The value in predicates and batch requests.
  var storeValue: StorePredicate.DataValue { get }
  /// Converts a value that was read from a row to this type.
  ///
  /// - Parameters:
  ///   - value: The value, or nil for NULL.
  ///   - row: The row. Its `mismatch(_:)` returns the error to throw.
  /// - Returns: The converted value.
  /// - Throws: The error from `row.mismatch(_:)` if a required value is NULL.
  static func property<Row: RowReader>(of value: Wrapped?, in row: Row) throws -> Self
}

/// A type of values that a store can contain.
///
/// An enumeration with raw values requires only the conformance:
///
///     extension Priority: StorableValue {}
public protocol StorableValue: PropertyValue where Wrapped == Self {
  /// Reads the next value of a row.
  ///
  /// - Parameter row: The row to read from.
  /// - Returns: The value, or nil for NULL.
  /// - Throws: The error from `row.mismatch(_:)` if the value can't be converted to this type.
  static func read<Row: RowReader>(from row: inout Row) throws -> Self?
}

extension StorableValue {
  /// Returns `value`, unless it is nil.
  ///
  /// - Parameters:
  ///   - value: The value, or nil for NULL.
  ///   - row: The row. Its `mismatch(_:)` returns the error to throw.
  /// - Throws: The error from `row.mismatch(_:)` if the value is NULL.
  @inlinable
  public static func property<Row: RowReader>(of value: Self?, in row: Row) throws -> Self {
    guard let value else { throw row.mismatch(.missing) }
    return value
  }
}

extension Optional: PropertyValue where Wrapped: StorableValue {
  public var storeValue: StorePredicate.DataValue { self?.storeValue ?? .null }

  @inlinable
  public static func property<Row: RowReader>(of value: Wrapped?, in row: Row) throws -> Self {
    value
  }
}

extension StorableValue where Self: RawRepresentable, RawValue: StorableValue {
  public var storeValue: StorePredicate.DataValue { rawValue.storeValue }

  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    guard let raw = try RawValue.read(from: &row) else { return nil }
    guard let value = Self(rawValue: raw) else {
      throw row.mismatch(.unreadable(type: String(describing: Self.self)))
    }
    return value
  }
}

/// A type that reads the values of one row from left to right. Generated types use it to read their properties.
public protocol RowReader {
  /// Reads the next value as an integer. Returns nil for NULL.
  mutating func readInteger() throws -> Int64?
  /// Reads the next value as a floating-point number. Returns nil for NULL.
  mutating func readReal() throws -> Double?
  /// Reads the next value as text. Returns nil for NULL.
  mutating func readText() throws -> String?
  /// Reads the next value as bytes.
  ///
  /// - Parameter body: A function that converts the bytes, which are valid until it returns.
  /// - Returns: The result of `body`, or nil for NULL.
  mutating func readBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result?
  /// Reads the next value as `integer` or `double`, depending on how it is stored. Returns nil for NULL.
  mutating func readNumber() throws -> DataValue?
  /// Reads the next value as an object ID. Returns nil for NULL.
  mutating func readObjectID() throws -> ObjectID?
  /// Returns the error for the last value that was read. The caller throws it if the property can't have this value.
  ///
  /// - Parameter problem: The reason.
  func mismatch(_ problem: RowMismatch) -> any Error
}

/// A reason why a stored value can't be converted to the Swift type of its property.
public enum RowMismatch: Hashable, Sendable {
  /// The value is NULL, but the model requires a value.
  case missing
  /// The number, text or bytes can't be converted. `type` describes what is expected, such as `Priority` or `number`.
  case unreadable(type: String)
}

extension RowReader {
  /// Reads the next value and converts it to the Swift type of a property.
  ///
  /// - Returns: The value.
  /// - Throws: An error if the value can't be converted to the type.
  @inlinable
  public mutating func read<Property: PropertyValue>(
    _: Property.Type = Property.self
  ) throws -> Property {
    let value = try Property.Wrapped.read(from: &self)
    return try Property.property(of: value, in: self)
  }
}
