import StoreDiagnostics

/// The order of the elements inside one that a merge keeps.
struct SiblingOrder {
  let base: Siblings
  let ours: Siblings
  let theirs: Siblings
  let kept: Set<ElementKey>
  /// Whether anything in the file has another name than before.
  let isRenaming: Bool

  var keys: [ElementKey] {
    // A new name has another place among sorted ones.
    guard isRenaming, isSorted(ours), isSorted(theirs) else { return order { _ in true } }
    let kinds = Dictionary(grouping: kept, by: \.kind).keys.sorted {
      (XcodeOrder.rank(ofElement: $0), $0) < (XcodeOrder.rank(ofElement: $1), $1)
    }
    return kinds.flatMap { kind in
      order { $0.kind == kind }.map { ($0, named($0)) }.enumerated().sorted { one, other in
        one.element.1.precedes(other.element.1)
          || !other.element.1.precedes(one.element.1) && one.offset < other.offset
      }.map(\.element.0)
    }
  }

  private func order(of isIncluded: (ElementKey) -> Bool) -> [ElementKey] {
    SequenceMerge.order(
      base: base.keys.filter(isIncluded), ours: ours.keys.filter(isIncluded),
      theirs: theirs.keys.filter(isIncluded), kept: kept
    ) { $0.precedes($1) }
  }

  /// With the name that it has in the merged file.
  private func named(_ key: ElementKey) -> ElementKey {
    let names = [ours[key]?["name"], theirs[key]?["name"]].compactMap { $0 }
    var named = key
    named.name = names.first { !$0.isExactly(key.name) } ?? key.name
    return named
  }

  private func isSorted(_ side: Siblings) -> Bool {
    zip(side.names, side.names.dropFirst()).allSatisfy { !$1.precedes($0) }
  }
}

/// The elements inside one, by their keys.
struct Siblings {
  let keys: [ElementKey]
  private let elements: [ElementKey: TextElement]

  init(_ parent: TextElement?, at path: [ElementKey], _ names: RenamedNames) {
    let children = parent?.children ?? []
    keys = ElementKey.keys(of: children, in: path, names)
    elements = Dictionary(zip(keys, children)) { first, _ in first }
  }

  subscript(_ key: ElementKey) -> TextElement? { elements[key] }

  /// The keys with the names that they have in this file.
  var names: [ElementKey] {
    keys.map { key in
      var named = key
      named.name = elements[key]?["name"] ?? key.name
      return named
    }
  }
}
