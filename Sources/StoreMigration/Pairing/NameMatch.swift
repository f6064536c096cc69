/// Something with a name and, perhaps, the name that it had.
struct Renamable: Hashable {
  var name: String
  /// `elementID`
  var identifier: String?

  init(_ name: String, _ identifier: String?) {
    self.name = name
    self.identifier = identifier
  }
}

/// Finds what has kept its name or was renamed.
enum NameMatch {
  /// The target's names → the source's; each name at most once on either side.
  static func pairs(_ source: [Renamable], _ target: [Renamable]) -> [String: String] {
    let sourceNames = Set(source.map(\.name))
    let targetNames = Set(target.map(\.name))
    var pairs = Dictionary(
      uniqueKeysWithValues: sourceNames.intersection(targetNames).map { ($0, $0) })
    var free = source.filter { !targetNames.contains($0.name) }
    var open = target.filter { !sourceNames.contains($0.name) }
    // The most telling match first: the new version names the old name; both carry the name of
    // before; the old version already carries the name to come.
    let rules: [(Renamable, Renamable) -> Bool] = [
      { old, new in new.identifier == old.name },
      { old, new in new.identifier != nil && new.identifier == old.identifier },
      { old, new in old.identifier == new.name },
    ]
    for isMatch in rules {
      open.removeAll { new in
        guard let index = free.firstIndex(where: { isMatch($0, new) }) else { return false }
        pairs[new.name] = free.remove(at: index).name
        return true
      }
    }
    return pairs
  }
}
