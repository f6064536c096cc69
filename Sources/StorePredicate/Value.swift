#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

import StoreDiagnostics

/// A value in a predicate, a default or a row.
public enum Value: Hashable, Sendable {
  /// A missing value.
  case null
  /// True or false.
  case boolean(Bool)
  /// An integer of 64 bits.
  case integer(Int64)
  /// A real number.
  case double(Double)
  /// A text.
  case string(String)
  /// A date, in seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// A UUID.
  case uuid(UUID)
  /// Binary data.
  case binary([UInt8])
  /// The ID of an object.
  case objectID(ObjectID)

  /// Returns whether both are the same value. Text is compared byte by byte, as in SQLite.
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

/// The identity of a row: `x-coredata://STORE-UUID/Entity/p7`.
public struct ObjectID: Hashable, Sendable {
  /// The UUID of the store in upper case, or nil for an ID that matches any store (`x-coredata:///Entity/p7`).
  public var store: String?
  /// The name of the entity.
  public var entity: String
  /// The primary key of the row.
  public var primaryKey: Int64

  /// Creates an ID.
  ///
  /// - Parameters:
  ///   - store: the UUID of the store in upper case, or nil for an ID that matches any store.
  ///   - entity: the name of the entity.
  ///   - primaryKey: the primary key of the row.
  public init(store: String?, entity: String, primaryKey: Int64) {
    self.store = store
    self.entity = entity
    self.primaryKey = primaryKey
  }

  /// Creates an ID from its URI, or nil if `uri` isn't one.
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

  /// Creates an ID from its URI or from its short form in tables, `Entity/p7`.
  public init?(text: some StringProtocol) {
    guard let id = ObjectID(uri: text) ?? ObjectID(uri: "x-coredata:///\(text)") else { return nil }
    self = id
  }

  /// The URI.
  public var uri: String { "x-coredata://\(store ?? "")/\(entity)/p\(primaryKey)" }
}
