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
}
