import StoreLayout

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value in the metadata of a store, which is a property list.
public enum MetadataValue: Hashable, Sendable {
  /// A text.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// A floating-point number.
  case real(Double)
  /// A truth value.
  case boolean(Bool)
  /// Data.
  case data(Data)
  /// A point in time.
  case date(Date)
  /// A list of values.
  case array([MetadataValue])
  /// Values by their keys.
  case dictionary([String: MetadataValue])

  init(_ value: PropertyList) {
    self =
      switch value {
      case .string(let text): .string(text)
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .boolean(let flag): .boolean(flag)
      case .data(let data): .data(data)
      case .date(let date): .date(date)
      case .array(let items): .array(items.map { MetadataValue($0) })
      case .dictionary(let items): .dictionary(items.mapValues { MetadataValue($0) })
      }
  }
}
