import StoreDiagnostics

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
    let sourceNames = source.map(\.name).exact
    let targetNames = target.map(\.name).exact
    var pairs = Dictionary(
      sourceNames.intersection(targetNames).map { ($0.text, $0.text) }
    ) { first, _ in first }
    var free = source.filter { !targetNames.contains(ExactText($0.name)) }
    var open = target.filter { !sourceNames.contains(ExactText($0.name)) }
    // The most telling match first: the new version names the old name; both carry the name of
    // before; the old version already carries the name to come.
    let rules: [(Renamable, Renamable) -> Bool] = [
      { old, new in old.name.isExactly(new.identifier) },
      { old, new in new.identifier != nil && new.identifier.isExactly(old.identifier) },
      { old, new in new.name.isExactly(old.identifier) },
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
