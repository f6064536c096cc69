import ModelArchives

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a store says of itself in `Z_METADATA`: its UUID and a property list
/// (docs/formats/store-metadata.md).
package struct StoreMetadata: Hashable, Sendable {
  /// Upper-case UUID text; part of every object ID.
  package var uuid: String
  /// Every key, those of Core Data and those of the app; empty when the store has none.
  package var entries: [String: PropertyList]
  /// Why the property list can't be read; there are no entries then.
  package var fault: String?

  package init(uuid: String, entries: [String: PropertyList], fault: String? = nil) {
    self.uuid = uuid
    self.entries = entries
    self.fault = fault
  }

  /// - Throws: `PropertyListError` or an error of `PropertyListDecoder` for bytes that are no property
  ///   list.
  package init(uuid: String, propertyList: [UInt8]) throws {
    self.uuid = uuid
    entries =
      propertyList.isEmpty
      ? [:]
      : try PropertyListReader.read([String: PropertyList].self, from: propertyList)
  }

  /// The binary property list for `Z_PLIST`.
  package func propertyList() throws -> [UInt8] {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return Array(try encoder.encode(entries))
  }
}

extension StoreMetadata {
  /// The keys of Core Data itself.
  package enum Key: String, CaseIterable, Sendable {
    case storeType = "NSStoreType"
    case frameworkVersion = "NSPersistenceFrameworkVersion"
    case maximumFrameworkVersion = "NSPersistenceMaximumFrameworkVersion"
    case identifiers = "NSStoreModelVersionIdentifiers"
    case hashesVersion = "NSStoreModelVersionHashesVersion"
    case hashes = "NSStoreModelVersionHashes"
    case digest = "NSStoreModelVersionHashesDigest"
    case checksum = "NSStoreModelVersionChecksumKey"
    case autoVacuumLevel = "_NSAutoVacuumLevel"
    case ancillaryHashes = "_NSStoreAncillaryModelVersionHashesMetadataKey"
  }

  package subscript(key: Key) -> PropertyList? {
    get { entries[key.rawValue] }
    set { entries[key.rawValue] = newValue }
  }

  /// The build of Core Data that wrote the store last: 1344 and the like.
  package var frameworkVersion: Int64? {
    guard case .integer(let version)? = self[.frameworkVersion] else { return nil }
    return version
  }

  /// The model's `userDefinedModelVersionIdentifier`; several when models were merged.
  package var modelIdentifiers: [String] {
    guard case .array(let items)? = self[.identifiers] else { return [] }
    return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  /// Entity name to the 32 bytes that stand for its definition.
  package var hashes: [String: [UInt8]] {
    guard case .dictionary(let items)? = self[.hashes] else { return [:] }
    return items.compactMapValues { if case .data(let data) = $0 { Array(data) } else { nil } }
  }

  /// Base64 of a SHA-512 over names and hashes.
  package var digest: String? { text(.digest) }

  /// Base64 of a SHA-256 over hashes.
  package var checksum: String? { text(.checksum) }

  /// What the app itself has put there.
  package var applicationEntries: [String: PropertyList] {
    entries.filter { Key(rawValue: $0.key) == nil }
  }

  private func text(_ key: Key) -> String? {
    guard case .string(let text)? = self[key] else { return nil }
    return text
  }
}
