#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

public import StorePredicate

/// Aliases of Foundation's types. Generated code uses them, because a model can have an entity with a name such as
/// `Data`.
public enum AttributeValue {
  #if canImport(FoundationEssentials)
    /// Foundation's type for binary data.
    public typealias Data = FoundationEssentials.Data
    /// Foundation's type for dates.
    public typealias Date = FoundationEssentials.Date
    /// Foundation's type for decimal numbers.
    public typealias Decimal = FoundationEssentials.Decimal
    /// Foundation's type for URIs.
    public typealias URL = FoundationEssentials.URL
    /// Foundation's type for UUIDs.
    public typealias UUID = FoundationEssentials.UUID
  #else
    /// Foundation's type for binary data.
    public typealias Data = Foundation.Data
    /// Foundation's type for dates.
    public typealias Date = Foundation.Date
    /// Foundation's type for decimal numbers.
    public typealias Decimal = Foundation.Decimal
    /// Foundation's type for URIs.
    public typealias URL = Foundation.URL
    /// Foundation's type for UUIDs.
    public typealias UUID = Foundation.UUID
  #endif
}

extension FixedWidthInteger where Self: StorableValue {
  /// The value in predicates and batch requests.
  public var storeValue: StorePredicate.DataValue { .integer(Int64(clamping: self)) }

  /// Reads the next value of a row as an integer.
  ///
  /// - Parameter row: The row to read from.
  /// - Returns: The value, or nil for NULL.
  /// - Throws: The error of the row if the integer is out of range.
  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    guard let number = try row.readInteger() else { return nil }
    guard let value = Self(exactly: number) else {
      throw row.mismatch(.unreadable(type: String(describing: Self.self)))
    }
    return value
  }
}

extension Int16: SummableValue { public typealias Sum = Int64 }
extension Int32: SummableValue { public typealias Sum = Int64 }
extension Int64: SummableValue {}
extension Int: SummableValue {}

extension Double: SummableValue {
  public var storeValue: StorePredicate.DataValue { .double(self) }
  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    try row.readReal()
  }
}

extension Float: SummableValue {
  public typealias Sum = Double

  public var storeValue: StorePredicate.DataValue { .double(Double(self)) }
  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    try row.readReal().map(Float.init)
  }
}

extension Bool: StorableValue {
  public var storeValue: StorePredicate.DataValue { .boolean(self) }
  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    try row.readInteger().map { $0 != 0 }
  }
}

extension String: StorableValue {
  public var storeValue: StorePredicate.DataValue { .string(self) }
  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    try row.readText()
  }
}

/// A Decimal is stored as an integer if possible, otherwise as a double, which can round numbers with more than 15
/// digits.
extension Decimal: SummableValue {
  public var storeValue: StorePredicate.DataValue {
    let text = description
    if let integer = Int64(text) { return .integer(integer) }
    return .double(Double(text) ?? .nan)
  }

  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    switch try row.readNumber() {
    case .integer(let number): return Decimal(number)
    // The description is the shortest text that is read as the same double. The exact decimal value has more digits.
    case .double(let number):
      guard let value = Decimal(string: number.description) else {
        throw row.mismatch(.unreadable(type: "Decimal"))
      }
      return value
    default: return nil
    }
  }
}

extension Date: StorableValue {
  public var storeValue: StorePredicate.DataValue { .date(timeIntervalSinceReferenceDate) }
  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    try row.readReal().map(Date.init(timeIntervalSinceReferenceDate:))
  }
}

extension UUID: StorableValue {
  public var storeValue: StorePredicate.DataValue { .uuid(self) }
  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    let uuid = try row.readBytes { bytes in
      bytes.count == 16 ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : nil
    }
    guard let uuid else { return nil }
    guard let uuid else { throw row.mismatch(.unreadable(type: "UUID")) }
    return uuid
  }
}

extension Data: StorableValue {
  public var storeValue: StorePredicate.DataValue { .binary(Array(self)) }
  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    try row.readBytes { Data($0) }
  }
}

extension URL: StorableValue {
  public var storeValue: StorePredicate.DataValue { .string(absoluteString) }
  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    guard let text = try row.readText() else { return nil }
    guard let url = URL(string: text) else { throw row.mismatch(.unreadable(type: "URL")) }
    return url
  }
}

extension TypedObjectID: StorableValue {
  public var storeValue: StorePredicate.DataValue { .objectID(objectID) }
  @inlinable
  public static func read<Row: RowReader>(from row: inout Row) throws -> Self? {
    guard let id = try row.readObjectID() else { return nil }
    guard let typed = Self(id) else {
      throw row.mismatch(.unreadable(type: "\(Object.entityName).ID"))
    }
    return typed
  }
}
