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

/// The name of one row: `x-coredata://STORE-UUID/Entity/p7`.
public struct ObjectID: Hashable, Sendable {
  /// Upper-case UUID of the store; nil for an ID that fits any store (`x-coredata:///Entity/p7`).
  public var store: String?
  public var entity: String
  public var primaryKey: Int64

  public init(store: String?, entity: String, primaryKey: Int64) {
    self.store = store
    self.entity = entity
    self.primaryKey = primaryKey
  }

  /// Reads the URI form; nil when `uri` is none.
  public init?(uri: some StringProtocol) {
    let prefix = "x-coredata://"
    guard uri.hasPrefix(prefix) else { return nil }
    let parts = uri.dropFirst(prefix.count)
      .split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[1].isEmpty, parts[2].first == "p",
      let key = Int64(parts[2].dropFirst()), key > 0
    else { return nil }
    let store = parts[0].isEmpty ? nil : String(parts[0]).uppercased()
    self.init(store: store, entity: String(parts[1]), primaryKey: key)
  }

  /// Reads the URI form, or the short one that tables show: `Entity/p7`.
  public init?(text: some StringProtocol) {
    guard let id = ObjectID(uri: text) ?? ObjectID(uri: "x-coredata:///\(text)") else { return nil }
    self = id
  }

  public var uri: String { "x-coredata://\(store ?? "")/\(entity)/p\(primaryKey)" }
}
