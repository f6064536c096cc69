import PropertyLists

/// The `VersionInfo.plist` of a compiled bundle: its versions with the hashes of their entities.
package struct VersionInfo: Hashable, Sendable {
  package static let fileName = "VersionInfo.plist"

  /// Nil where the bundle does not say which version is in use.
  package var currentVersion: String?
  /// By version, then by entity.
  package var hashes: [String: [String: [UInt8]]]

  package init(currentVersion: String?, hashes: [String: [String: [UInt8]]]) {
    self.currentVersion = currentVersion
    self.hashes = hashes
  }

  /// A binary property list, as Xcode's compiler writes it; the same facts give the same bytes.
  package var bytes: [UInt8] {
    var list = BinaryPropertyListWriter()
    let versions = hashes.sorted { $0.key < $1.key }.map { version, entities in
      let members = entities.sorted { $0.key < $1.key }
        .map { (key: $0.key, number: list.plain(.data($0.value))) }
      return (key: version, number: list.dictionary(members))
    }
    var facts = [(key: "NSManagedObjectModel_VersionHashes", number: list.dictionary(versions))]
    if let currentVersion {
      facts.append(
        (key: "NSManagedObjectModel_CurrentVersionName", number: list.text(currentVersion)))
    }
    return list.bytes(top: list.dictionary(facts))
  }
}
