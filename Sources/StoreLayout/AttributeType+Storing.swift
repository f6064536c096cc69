package import SQLiteAccess
package import StoreModel
package import StorePredicate

extension AttributeType {
  /// Returns the value that a column of this type contains for a value in a request: dates in seconds since 2001, UUIDs
  /// as 16 bytes, Floats rounded to 32 bits.
  ///
  /// The conversion is strict: 5 isn't a Boolean, and true isn't a number.
  ///
  /// - Parameter isExternal: whether the attribute allows external storage, so that stored bytes begin with a byte for
  ///   their location (`ExternalValue`).
  /// - Throws: `ValueError` if the type can't store the value.
  package func stored(
    _ value: DataValue, isExternal: Bool = false
  ) throws(ValueError) -> SQLiteValue {
    switch (value, self) {
    case (.null, _), (_, .undefined), (_, .objectID), (_, .composite): return SQLiteValue(value)
    case (.double(let number), _) where number.isNaN, (.date(let number), _) where number.isNaN:
      throw .notANumber
    // The request itself contains infinity, so it is accepted. As the result of a computation, it isn't.
    case (.double(let number), .double) where number.isInfinite,
      (.double(let number), .float) where number.isInfinite:
      return .real(number)
    case (.boolean, .boolean), (.integer, .boolean), (.uuid, .uuid), (.string, .string),
      (.string, .uri):
      return try stored(computed: SQLiteValue(value))
    case (.string(Self.notANumber), .decimal): return SQLiteValue(value)
    case (.date(let seconds), .date):
      guard seconds.isFinite else { throw .outOfRange(self) }
      return SQLiteValue(value)
    case (.binary(let bytes), .binary), (.binary(let bytes), .transformable):
      return .blob(isExternal ? [ExternalValue.inlineMark] + bytes : bytes)
    case (.integer, _) where isNumeric, (.double, _) where isNumeric:
      return try stored(computed: SQLiteValue(value))
    case (.boolean, _), (.integer, _), (.double, _), (.string, _), (.date, _), (.uuid, _),
      (.binary, _), (.objectID, _):
      throw .wrongType(self)
    }
  }

  /// Returns the stored value for a value that is written as text, as in the argument `key=text`.
  package func stored(text: String) throws(ValueError) -> SQLiteValue {
    let value: DataValue
    do throws(ValueTextError) {
      value = try ValueText.value(of: text, as: self)
    } catch {
      throw .wrongType(self)
    }
    return try stored(value)
  }

  /// Returns the stored value for the result of an SQL expression. SQLite has no Booleans and dates, so results of
  /// these types are numbers.
  package func stored(computed value: SQLiteValue) throws(ValueError) -> SQLiteValue {
    switch (value, self) {
    case (.null, _), (_, .undefined), (_, .composite), (_, .objectID): return value
    case (.integer(let number), .integer16): return try whole(number, Int16.self)
    case (.integer(let number), .integer32): return try whole(number, Int32.self)
    case (.integer, .integer64), (.integer, .decimal), (.real, .date), (.text, .string),
      (.text, .uri), (.blob, .binary), (.blob, .transformable), (.blob, .uuid):
      return value
    case (.integer(0...1), .boolean): return value
    case (.integer(let number), .double), (.integer(let number), .date):
      return .real(Double(number))
    case (.integer(let number), .float): return .real(Double(Float(number)))
    case (.real(let number), .double), (.real(let number), .decimal):
      guard number.isFinite else { throw .outOfRange(self) }
      return value
    case (.real(let number), .float):
      guard number.isFinite, let single = Self.single(number) else { throw .outOfRange(self) }
      return .real(single)
    case (.real(let number), .integer16), (.real(let number), .integer32),
      (.real(let number), .integer64):
      // A computation with floating-point numbers can have a whole result, such as `10 / 5`.
      guard number == number.rounded(.towardZero) else { throw .wrongType(self) }
      guard let exact = Int64(exactly: number) else { throw .outOfRange(self) }
      return try stored(computed: .integer(exact))
    case (.integer, _), (.real, _), (.text, _), (.blob, _): throw .wrongType(self)
    }
  }

  private func whole<Number: FixedWidthInteger>(
    _ number: Int64, _: Number.Type
  ) throws(ValueError) -> SQLiteValue {
    guard Number(exactly: number) != nil else { throw .outOfRange(self) }
    return .integer(number)
  }

  /// Whether the type is a number. A Boolean isn't a number.
  private var isNumeric: Bool { family == .number && self != .boolean }
}

extension AttributeColumn {
  /// Returns the stored value of the attribute's default. A default that the attribute's type can't store is stored
  /// according to its own type. Only a model that was created in code can contain such a default.
  package func stored(default value: DataValue) -> SQLiteValue {
    do throws(ValueError) {
      return try type.stored(value, isExternal: allowsExternalStorage)
    } catch {
      return SQLiteValue(value)
    }
  }
}

extension SQLiteValue {
  /// Creates a value as in Core Data's columns: dates in seconds since 2001, UUIDs as 16 bytes, object IDs as the
  /// primary key. See `docs/formats/store-layout.md`.
  package init(_ value: DataValue) {
    self =
      switch value {
      case .null: .null
      case .boolean(let flag): .integer(flag ? 1 : 0)
      case .integer(let number): .integer(number)
      case .double(let number): .real(number)
      case .string(let text): .text(text)
      case .date(let seconds): .real(seconds)
      case .uuid, .binary: .blob(value.bytes ?? [])
      case .objectID(let id): .integer(id.primaryKey)
      }
  }
}

/// A value of an attribute that "allows external storage". Its first byte usually specifies the location: 1 if the
/// bytes follow, 2 if the name of a file follows, which ends at a NUL or with the value (docs/formats/values.md).
/// `ExternalColumn` tests for the byte 2 in SQL.
package enum ExternalValue {
  case inline(UnsafeBufferPointer<UInt8>)
  case file(String)

  package static let inlineMark: UInt8 = 1
  package static let fileMark: UInt8 = 2

  package init(stored bytes: UnsafeBufferPointer<UInt8>) {
    switch bytes.first {
    case Self.fileMark:
      let name = bytes.dropFirst().prefix { $0 != 0 }
      self = .file(String(decoding: name, as: UTF8.self))
    case Self.inlineMark:
      self = .inline(UnsafeBufferPointer(rebasing: bytes.dropFirst()))
    // The value has no byte for its location, because it was written before the attribute allowed external storage.
    default: self = .inline(bytes)
    }
  }
}
