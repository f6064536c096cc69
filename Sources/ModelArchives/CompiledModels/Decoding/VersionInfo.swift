#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `VersionInfo.plist` of a `.momd`: which of its models is current, and the hashes of each.
package struct VersionInfo: Hashable, Sendable {
  /// The file's name in a `.momd`.
  package static let fileName = "VersionInfo.plist"

  /// The name of the current version's `.mom`; some compilers left it out where there is one version.
  package var currentVersion: String?
  /// For each version those of its entities: 32 bytes each.
  package var hashes: [String: [String: [UInt8]]]

  package init(currentVersion: String? = nil, hashes: [String: [String: [UInt8]]] = [:]) {
    self.currentVersion = currentVersion
    self.hashes = hashes
  }

  /// - Throws: `PropertyListError` or an error of `PropertyListDecoder` for bytes that are no such list.
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

  /// A binary property list, as Xcode's compiler writes it; the same facts give the same bytes.
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
