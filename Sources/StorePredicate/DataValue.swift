#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

import StoreDiagnostics

/// A value of a predicate, a default or a row.
public enum DataValue: Hashable, Sendable {
  /// A missing value.
  case null
  /// A Boolean.
  case boolean(Bool)
  /// An integer.
  case integer(Int64)
  /// A floating-point number.
  case double(Double)
  /// Text.
  case string(String)
  /// A date, as seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  /// A UUID.
  case uuid(UUID)
  /// Binary data.
  case binary([UInt8])
  /// The identity of a row.
  case objectID(ObjectID)

  /// Returns whether both values have the same type and are equal. Texts are compared byte by byte, as in SQLite.
  public static func == (left: DataValue, right: DataValue) -> Bool {
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
  /// The UUID of the store in upper case; nil for an ID that matches any store (`x-coredata:///Entity/p7`).
  public var store: String?
  /// The name of the entity.
  public var entity: String
  /// The primary key of the row.
  public var primaryKey: Int64

  /// Creates an object ID.
  ///
  /// - Parameters:
  ///   - store: the UUID of the store in upper case, or nil for any store.
  ///   - entity: the name of the entity.
  ///   - primaryKey: the primary key of the row.
  public init(store: String?, entity: String, primaryKey: Int64) {
    self.store = store
    self.entity = entity
    self.primaryKey = primaryKey
  }

  /// Creates an object ID from a URI. Fails if `uri` isn't the URI of an object ID.
  ///
  /// - Parameter uri: a URI such as `x-coredata://STORE-UUID/Entity/p7`.
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

  /// Creates an object ID from a URI or from its short form, such as `EntityDescription/p7`. Fails if `text` is
  /// neither.
  ///
  /// - Parameter text: a URI or a short form.
  public init?(text: some StringProtocol) {
    guard let id = ObjectID(uri: text) ?? ObjectID(uri: "x-coredata:///\(text)") else { return nil }
    self = id
  }

  /// The object ID as a URI.
  public var uri: String { "x-coredata://\(store ?? "")/\(entity)/p\(primaryKey)" }
}

extension ObjectID: Codable {
  /// Decodes a URI or a short form, such as `EntityDescription/p7`.
  ///
  /// - Parameter decoder: the decoder, whose value must be a string.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = ObjectID(text: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' isn't an object ID, such as 'Tea/p7'")
    }
    self = id
  }

  /// Encodes the URI.
  ///
  /// - Parameter encoder: the encoder, which receives a string.
  /// - Throws: the errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uri)
  }
}
