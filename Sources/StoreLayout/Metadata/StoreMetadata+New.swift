#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
package import StoreModel

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
