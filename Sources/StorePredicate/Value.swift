#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A value as predicates, defaults and rows know it.
public enum Value: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case uuid(UUID)
  case binary([UInt8])
  case objectID(ObjectID)
}
