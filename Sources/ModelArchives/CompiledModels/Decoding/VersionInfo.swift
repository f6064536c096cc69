#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The content of the `VersionInfo.plist` in a `.momd`: the name of the current version, and the entity hashes of each
/// version.
package struct VersionInfo: Hashable, Sendable {
  /// The name of the file in a `.momd`.
  package static let fileName = "VersionInfo.plist"

  /// The name of the current version's `.mom`. Some compilers omit it if there is only one version.
  package var currentVersion: String?
  /// The hashes of the entities, with 32 bytes each, by the version's name and the entity's name.
  package var hashes: [String: [String: [UInt8]]]

  package init(currentVersion: String? = nil, hashes: [String: [String: [UInt8]]] = [:]) {
    self.currentVersion = currentVersion
    self.hashes = hashes
  }

  /// - Throws: `PropertyListError` or a decoding error if the bytes aren't such a property list.
  package init(_ bytes: [UInt8]) throws {
    let file = try PropertyListReader.read(File.self, from: bytes)
    currentVersion = file.currentVersion
    hashes = (file.hashes ?? [:]).mapValues { $0.mapValues { Array($0) } }
  }

  package enum Key: String, CodingKey, Sendable {
    case currentVersion = "NSManagedObjectModel_CurrentVersionName"
    case hashes = "NSManagedObjectModel_VersionHashes"
  }

  private struct File: Decodable {
    var currentVersion: String?
    var hashes: [String: [String: Data]]?

    typealias CodingKeys = Key
  }

  /// The binary property list, as Xcode's compiler writes it. Equal values have equal bytes.
  package var bytes: [UInt8] {
    var list = BinaryPropertyListWriter()
    let versions = hashes.sorted { $0.key < $1.key }.map { version, entities in
      let members = entities.sorted { $0.key < $1.key }
        .map { (key: $0.key, number: list.plain(.data($0.value))) }
      return (key: version, number: list.dictionary(members))
    }
    var values = [(key: Key.hashes.rawValue, number: list.dictionary(versions))]
    if let currentVersion {
      values.append((key: Key.currentVersion.rawValue, number: list.text(currentVersion)))
    }
    let top = list.dictionary(values)
    return list.bytes(top: top)
  }
}
