extension VersionInfo {
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
