import ModelArchives
package import StoreModel

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

/// A model as metadata names it.
package struct ModelFingerprint: Hashable, Sendable {
  package var identifiers: [String]
  /// Entity name to 32 bytes.
  package var hashes: [String: [UInt8]]
  /// Base64 of the SHA-512 over names and hashes.
  package var digest: String
  /// Base64 of the SHA-256 over hashes.
  package var checksum: String

  package init(
    identifiers: [String], hashes: [String: [UInt8]], digest: String, checksum: String
  ) {
    self.identifiers = identifiers
    self.hashes = hashes
    self.digest = digest
    self.checksum = checksum
  }
}

extension StoreMetadata {
  /// The framework whose layout we write: iOS 17, macOS 14.
  package static let writtenFrameworkVersion: Int64 = 1344

  /// The metadata of a new store.
  ///
  /// - Parameter uuid: nil for a new one.
  package init(for model: ModelFingerprint, uuid: String? = nil) {
    self.init(
      uuid: uuid ?? UUID().uuidString,
      entries: [
        Key.storeType.rawValue: .string("SQLite"),
        Key.frameworkVersion.rawValue: .integer(Self.writtenFrameworkVersion),
        Key.autoVacuumLevel.rawValue: .string("2"),
      ])
    set(model)
  }

  /// What a migration changes: everything that depends on the model, and the framework whose layout
  /// it is, unless a later one has already written the store.
  package mutating func migrate(to model: ModelFingerprint) {
    set(model)
    self[.frameworkVersion] = .integer(
      max(frameworkVersion ?? 0, Self.writtenFrameworkVersion))
  }

  /// Replaces what depends on the model; all other keys and the UUID stay.
  package mutating func set(_ model: ModelFingerprint) {
    self[.identifiers] = .array(model.identifiers.map(PropertyList.string))
    self[.hashesVersion] = .integer(3)
    self[.hashes] = .dictionary(model.hashes.mapValues { .data(Data($0)) })
    self[.digest] = .string(model.digest)
    self[.checksum] = .string(model.checksum)
  }
}

extension ModelFingerprint {
  /// The hashes of a model, or of one of its configurations, and what is made from them.
  package init(of model: Model, configuration: Configuration? = nil) {
    let hashes =
      configuration.map { VersionHash.hashes(of: $0, in: model) } ?? VersionHash.hashes(of: model)
    self.init(of: model, hashes: hashes)
  }

  /// - Parameter hashes: those of the model, or of one of its configurations.
  package init(of model: Model, hashes: [String: [UInt8]]) {
    self.init(
      identifiers: model.versionIdentifiers, hashes: hashes,
      digest: StoreChecksum.digest(of: hashes), checksum: StoreChecksum.checksum(of: hashes))
  }
}
