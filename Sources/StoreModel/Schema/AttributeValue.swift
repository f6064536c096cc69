#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Foundation's types by names that no entity can hide: a model may have an entity `Data`.
public enum AttributeValue {
  #if canImport(FoundationEssentials)
    public typealias Data = FoundationEssentials.Data
    public typealias Date = FoundationEssentials.Date
    public typealias Decimal = FoundationEssentials.Decimal
    public typealias URL = FoundationEssentials.URL
    public typealias UUID = FoundationEssentials.UUID
  #else
    public typealias Data = Foundation.Data
    public typealias Date = Foundation.Date
    public typealias Decimal = Foundation.Decimal
    public typealias URL = Foundation.URL
    public typealias UUID = Foundation.UUID
  #endif
}
