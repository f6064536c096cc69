import StoreModel
package import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Functions that decode the defaults of attributes and the constants of predicates in archives.
package enum ArchivedValue {
  /// Returns a constant of a predicate, or nil for an object that isn't a value.
  package static func value(
    of archived: KeyedArchive.Value
  ) throws(KeyedArchiveError) -> DataValue? {
    switch archived {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .real(let number): return .double(number)
    case .date(let seconds): return .date(seconds)
    case .data(let bytes): return .binary(bytes)
    case .text(let text): return .string(text)
    case .object(let object): return try value(of: object)
    }
  }

  /// Returns the default of an attribute, or nil if it isn't a value of the type.
  static func value(
    of archived: KeyedArchive.Value, as type: AttributeType
  ) throws(KeyedArchiveError) -> DataValue? {
    guard let value = try value(of: archived), isFinite(value) else { return nil }
    return switch (type, value) {
    case (.integer16, _), (.integer32, _), (.integer64, _): whole(value).map { .integer($0) }
    case (.decimal, _): whole(value).map { .integer($0) } ?? number(value).map { .double($0) }
    case (.double, _): number(value).map { .double($0) }
    case (.float, _): number(value).map { .double(Double(Float($0))) }
    case (.boolean, _): number(value).map { .boolean($0 != 0) }
    case (.string, .string), (.uri, .string), (.uuid, .uuid), (.date, .date), (.binary, .binary):
      value
    case (.uuid, .string(let text)): UUID(uuidString: text).map { .uuid($0) }
    default: nil
    }
  }

  /// Returns false for an infinite number or NaN, which can't be a default in a model.
  private static func isFinite(_ value: DataValue) -> Bool {
    switch value {
    case .double(let number), .date(let number): number.isFinite
    default: true
    }
  }

  private static func whole(_ value: DataValue) -> Int64? {
    switch value {
    case .integer(let number): number
    case .boolean(let flag): flag ? 1 : 0
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }

  private static func number(_ value: DataValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .boolean(let flag): flag ? 1 : 0
    case .double(let number): number
    default: nil
    }
  }

  private static func value(
    of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> DataValue? {
    switch try object.className {
    case "NSUUID":
      guard case .data(let bytes) = try object.value("NS.uuidbytes"), bytes.count == 16 else {
        throw object.missing("NS.uuidbytes", expected: "16 bytes")
      }
      return .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    case "NSURL": return .string(try object.requiredText("NS.relative"))
    case "NSDecimalNumber": return try decimal(object)
    default: return nil
    }
  }

  /// Decodes an `NSDecimalNumber`: a mantissa of up to eight units of 16 bits, the least significant unit first, and a
  /// decimal exponent.
  private static func decimal(
    _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> DataValue {
    guard case .data(let bytes) = try object.value("NS.mantissa"), bytes.count <= 16 else {
      throw object.missing("NS.mantissa", expected: "up to 16 bytes")
    }
    let units = min(max(try object.integer("NS.length") ?? 8, 0), Int64(bytes.count / 2))
    // The byte order 1 means that the first byte of a unit is the least significant byte.
    let isLittle = try object.integer("NS.mantissa.bo") ?? 1 == 1
    var mantissa = 0.0
    for unit in stride(from: 0, to: Int(units) * 2, by: 2).reversed() {
      let (low, high) = isLittle ? (bytes[unit], bytes[unit + 1]) : (bytes[unit + 1], bytes[unit])
      mantissa = mantissa * 65_536 + Double(UInt16(high) << 8 | UInt16(low))
    }
    // The exponent of an `NSDecimalNumber` is between -128 and 127.
    let exponent = min(max(try object.integer("NS.exponent") ?? 0, -128), 127)
    // The number is parsed from text, which results in the nearest `Double`. Multiplying by a power of ten would round
    // twice.
    let whole = mantissa < 9e15 ? "\(Int64(mantissa))" : nil
    let size =
      whole.flatMap { Double("\($0)e\(exponent)") } ?? mantissa * (Double("1e\(exponent)") ?? 0)
    let number = try object.flag("NS.negative") ? -size : size
    return Int64(exactly: number).map { .integer($0) } ?? .double(number)
  }
}
