import StoreModel
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension KeyedArchiveWriter {
  /// A value as an attribute of that type holds it.
  mutating func constant(_ value: Value, as type: AttributeType) -> Reference {
    switch (type, value) {
    case (.boolean, .integer(let number)): plain(.boolean(number != 0))
    case (.integer16, .double(let number)), (.integer32, .double(let number)),
      (.integer64, .double(let number)):
      Int64(exactly: number).map { plain(.integer($0)) } ?? plain(.real(number))
    case (.double, .integer(let number)), (.float, .integer(let number)):
      plain(.real(Double(number)))
    case (.decimal, .integer(let number)): decimal("\(number)")
    case (.decimal, .double(let number)): decimal("\(number)")
    case (.uri, .string(let text)): url(text)
    default: constant(value)
    }
  }

  mutating func constant(_ value: Value) -> Reference {
    switch value {
    case .null: .null
    case .boolean(let flag): plain(.boolean(flag))
    case .integer(let number): plain(.integer(number))
    case .double(let number): plain(.real(number))
    case .string(let text): string(text)
    case .date(let seconds): date(seconds)
    case .uuid(let uuid): self.uuid(withUnsafeBytes(of: uuid.uuid) { Array($0) })
    case .binary(let bytes): plain(.data(bytes))
    case .objectID(let id): url(id.uri)
    }
  }

  /// - Parameter text: as Swift writes a number: `-12.5`, `1e-07`.
  private mutating func decimal(_ text: String) -> Reference {
    let parts = text.split(separator: "e")
    let digits = (parts.first ?? "").drop { $0 == "-" }.split(separator: ".")
    let fraction = digits.count > 1 ? digits[1] : ""
    var mantissa = UInt64((digits.first ?? "") + fraction) ?? 0
    var exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.count
    if mantissa == 0 { exponent = 0 }
    while mantissa != 0, mantissa.isMultiple(of: 10) {
      (mantissa, exponent) = (mantissa / 10, exponent + 1)
    }
    return decimal(
      mantissa: mantissa, exponent: exponent, isNegative: text.hasPrefix("-") && mantissa != 0)
  }
}
