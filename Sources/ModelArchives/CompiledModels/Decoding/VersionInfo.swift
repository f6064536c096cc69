#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The `VersionInfo.plist` of a `.momd`: its current model, and the hashes of each.
package struct VersionInfo: Hashable, Sendable {
  /// The name of the file in a `.momd`.
  package static let fileName = "VersionInfo.plist"

  /// The name of the current version's `.mom`. Some compilers omitted it if there is only one version.
  package var currentVersion: String?
  /// The hashes of each version's entities, with 32 bytes each.
  package var hashes: [String: [String: [UInt8]]]

  package init(currentVersion: String? = nil, hashes: [String: [String: [UInt8]]] = [:]) {
    self.currentVersion = currentVersion
    self.hashes = hashes
  }

  /// - Throws: `PropertyListError`, or an error of `PropertyListDecoder` for bytes that aren't such a list.
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

  /// The binary property list in the form of Xcode's compiler. Equal contents have equal bytes.
  package var bytes: [UInt8] {
    var list = BinaryPropertyListWriter()
    let versions = hashes.sorted { $0.key < $1.key }.map { version, entities in
      let members = entities.sorted { $0.key < $1.key }
        .map { (key: $0.key, number: list.plain(.data($0.value))) }
      return (key: version, number: list.dictionary(members))
    }
    var facts = [(key: Key.hashes.rawValue, number: list.dictionary(versions))]
    if let currentVersion {
      facts.append((key: Key.currentVersion.rawValue, number: list.text(currentVersion)))
    }
    let top = list.dictionary(facts)
    return list.bytes(top: top)
  }
}
