import StoreLayout
import RecordFormats
import SQLiteAccess
import StoreModel
import StorePredicate

extension AttributeType {
  /// Returns the stored value of the type for a record's bytes, without creating a Swift value for valid input.
  ///
  /// - Parameter rounded: counts the Decimals with more digits than a Double can represent.
  @inline(__always)
  func cell(
    for value: FieldValue, isExternal: Bool, in rows: PackedRows, rounding rounded: inout Int
  ) throws(ValueError) -> PackedRows.Cell {
    switch value {
    case .null: return .null
    case .boolean(let flag):
      guard self == .boolean || self == .undefined else { throw .wrongType(self) }
      return .integer(flag ? 1 : 0)
    case .number(let digits): return try number(digits, rounding: &rounded)
    case .literal(let text) where self != .string && Self.isNull(text): return .null
    case .text(let text), .literal(let text):
      return try self.text(text, isExternal: isExternal, in: rows, rounding: &rounded)
    }
  }

  static func isNull(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.elementsEqual("null".utf8)
  }

  private func number(
    _ digits: UnsafeBufferPointer<UInt8>, rounding rounded: inout Int
  ) throws(ValueError) -> PackedRows.Cell {
    switch self {
    case .integer16, .integer32, .integer64: return try integer(digits)
    case .double, .float: return try double(digits)
    case .decimal, .undefined: return try decimal(digits, rounding: &rounded)
    case .boolean:
      guard let value = NumberText.integer(digits), value == 0 || value == 1 else {
        throw .wrongType(self)
      }
      return .integer(value)
    case .string, .date, .binary, .uuid, .uri, .transformable, .objectID, .composite:
      throw .wrongType(self)
    }
  }

  private func text(
    _ text: UnsafeBufferPointer<UInt8>, isExternal: Bool, in rows: PackedRows,
    rounding rounded: inout Int
  ) throws(ValueError) -> PackedRows.Cell {
    switch self {
    case .string, .uri, .undefined, .objectID, .composite:
      return rows.cell(.text, text.baseAddress, count: text.count)
    case .integer16, .integer32, .integer64: return try integer(text)
    case .double, .float: return try double(text)
    case .decimal:
      // A literal instead of the constant `notANumber`, because it makes the loop over rows faster.
      if text.elementsEqual("NaN".utf8) {
        return rows.cell(.text, text.baseAddress, count: text.count)
      }
      return try decimal(text, rounding: &rounded)
    case .boolean:
      guard let value = BooleanText.value(text) else { throw .wrongType(self) }
      return .integer(value ? 1 : 0)
    case .date:
      guard let seconds = ISODate.seconds(utf8: text) else { throw .wrongType(self) }
      return .real(seconds)
    case .uuid:
      guard let cell = rows.cell(uuid: text) else { throw .wrongType(self) }
      return cell
    case .binary, .transformable:
      guard let cell = rows.cell(base64: text, mark: isExternal ? ExternalValue.inlineMark : nil)
      else { throw .wrongType(self) }
      return cell
    }
  }

  private func integer(
    _ digits: UnsafeBufferPointer<UInt8>
  ) throws(ValueError) -> PackedRows.Cell {
    guard let value = NumberText.integer(digits) else {
      let isWhole = digits.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-") }
      throw isWhole && !digits.isEmpty ? .outOfRange(self) : .wrongType(self)
    }
    guard integerBounds.contains(value) else { throw .outOfRange(self) }
    return .integer(value)
  }

  /// The values of an integer type.
  package var integerBounds: ClosedRange<Int64> {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    default: .min ... .max
    }
  }

  private func double(
    _ text: UnsafeBufferPointer<UInt8>
  ) throws(ValueError) -> PackedRows.Cell {
    guard let value = NumberText.double(text) else {
      if text.elementsEqual("Infinity".utf8) { return .real(.infinity) }
      if text.elementsEqual("-Infinity".utf8) { return .real(-.infinity) }
      throw text.elementsEqual("NaN".utf8) ? .notANumber : .wrongType(self)
    }
    // A Float is stored as the Double with the value of its 32 bits.
    let stored = self == .float ? Double(Float(value)) : value
    guard stored.isFinite else { throw .outOfRange(self) }
    return .real(stored)
  }

  /// Returns the stored value of a Decimal. Its column has NUMERIC affinity, so a whole number is stored as an integer,
  /// and another number as a Double.
  private func decimal(
    _ digits: UnsafeBufferPointer<UInt8>, rounding rounded: inout Int
  ) throws(ValueError) -> PackedRows.Cell {
    if let value = NumberText.integer(digits) { return .integer(value) }
    guard let value = NumberText.double(digits) else { throw .wrongType(.decimal) }
    guard value.isFinite else { throw .outOfRange(.decimal) }
    if NumberText.significantDigits(digits) > 15 { rounded += 1 }
    return .real(value)
  }
}
