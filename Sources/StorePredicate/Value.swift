#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

import StoreDiagnostics

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

  /// Whether both are the same value. Texts are compared byte by byte, as SQLite does.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let one), .boolean(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.double(let one), .double(let other)): one == other
    case (.string(let one), .string(let other)): one.isExactly(other)
    case (.date(let one), .date(let other)): one == other
    case (.uuid(let one), .uuid(let other)): one == other
    case (.binary(let one), .binary(let other)): one == other
    case (.objectID(let one), .objectID(let other)): one == other
    case (.null, _), (.boolean, _), (.integer, _), (.double, _), (.string, _), (.date, _),
      (.uuid, _), (.binary, _), (.objectID, _):
      false
    }
  }
}
