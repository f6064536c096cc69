import ModelArchives
package import StoreModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The content of `Z_METADATA`: the UUID of the store and a property list (docs/formats/store-metadata.md).
package struct StoreMetadata: Hashable, Sendable {
  /// The UUID of the store, which is a part of each object ID.
  package var uuid: String
  /// All entries of the property list, of Core Data and of the app.
  package var entries: [String: PropertyList]
  /// The reason why the property list can't be read, or nil. If it isn't nil, `entries` is empty.
  package var fault: String?

  package init(uuid: String, entries: [String: PropertyList], fault: String? = nil) {
    self.uuid = uuid
    self.entries = entries
    self.fault = fault
  }

  /// Reads the entries from the bytes of a property list. Zero bytes are a list without entries.
  ///
  /// - Throws: `PropertyListError`, or an error of `PropertyListDecoder` for bytes that aren't a property list.
  package init(uuid: String, propertyList: [UInt8]) throws {
    self.uuid = uuid
    entries =
      propertyList.isEmpty
      ? [:]
      : try PropertyListReader.read([String: PropertyList].self, from: propertyList)
  }

  /// Returns the binary property list for `Z_PLIST`.
  package func propertyList() throws -> [UInt8] {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return Array(try encoder.encode(entries))
  }
}

extension StoreMetadata {
  /// The keys of Core Data's own entries.
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

  /// The version of Core Data that last wrote the store, such as 1344.
  package var frameworkVersion: Int64? {
    guard case .integer(let version)? = self[.frameworkVersion] else { return nil }
    return version
  }

  /// The `userDefinedModelVersionIdentifier` of the model. There are several for merged models.
  package var modelIdentifiers: [String] {
    guard case .array(let items)? = self[.identifiers] else { return [] }
    return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  /// The version hashes of 32 bytes, by the entity's name.
  package var hashes: [String: [UInt8]] {
    guard case .dictionary(let items)? = self[.hashes] else { return [:] }
    return items.compactMapValues { if case .data(let data) = $0 { Array(data) } else { nil } }
  }

  /// The SHA-512 of the entities' names and hashes, in base64, or nil if the store doesn't contain it.
  package var digest: String? { text(.digest) }

  /// The SHA-256 of the entities' hashes, in base64, or nil if the store doesn't contain it.
  package var checksum: String? { text(.checksum) }

  /// The app's own entries.
  package var applicationEntries: [String: PropertyList] {
    entries.filter { Key(rawValue: $0.key) == nil }
  }

  private func text(_ key: Key) -> String? {
    guard case .string(let text)? = self[key] else { return nil }
    return text
  }
}

/// The entries of a store's metadata that identify its model.
package struct ModelFingerprint: Hashable, Sendable {
  package var identifiers: [String]
  /// The version hashes of 32 bytes, by the entity's name.
  package var hashes: [String: [UInt8]]
  /// The SHA-512 of the entities' names and hashes, in base64.
  package var digest: String
  /// The SHA-256 of the entities' hashes, in base64.
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
  /// The version of Core Data whose layout storetool writes, which is part of iOS 17 and macOS 14.
  package static let writtenFrameworkVersion: Int64 = 1344

  /// Creates the metadata of a new store.
  ///
  /// - Parameter uuid: nil for a new UUID.
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

  /// Replaces the entries that depend on the model, and raises the framework version to `writtenFrameworkVersion`. A
  /// higher framework version remains.
  package mutating func migrate(to model: ModelFingerprint) {
    set(model)
    self[.frameworkVersion] = .integer(
      max(frameworkVersion ?? 0, Self.writtenFrameworkVersion))
  }

  /// Replaces the entries that depend on the model. Other entries and the UUID remain.
  package mutating func set(_ model: ModelFingerprint) {
    self[.identifiers] = .array(model.identifiers.map(PropertyList.string))
    self[.hashesVersion] = .integer(3)
    self[.hashes] = .dictionary(model.hashes.mapValues { .data(Data($0)) })
    self[.digest] = .string(model.digest)
    self[.checksum] = .string(model.checksum)
  }
}

extension ModelFingerprint {
  /// Computes the hashes of a model or of one of its configurations, and their checksums.
  package init(of model: DataModel, configuration: ConfigurationDescription? = nil) {
    let hashes =
      configuration.map { VersionHash.hashes(of: $0, in: model) } ?? VersionHash.hashes(of: model)
    self.init(of: model, hashes: hashes)
  }

  /// - Parameter hashes: the hashes of the model or of one of its configurations.
  package init(of model: DataModel, hashes: [String: [UInt8]]) {
    self.init(
      identifiers: model.versionIdentifiers, hashes: hashes,
      digest: StoreChecksum.digest(of: hashes), checksum: StoreChecksum.checksum(of: hashes))
  }
}
