import StoreDiagnostics

/// Merges two trees with their common ancestor, element by element.
struct TreeMerge {
  /// The renamed elements of each side.
  let names: (ours: RenamedNames, theirs: RenamedNames)
  /// Whether there is a common ancestor. Without one, each element that only one side has is a conflict, except a
  /// position in Xcode's editor.
  let hasBase: Bool
  /// The elements that could be merged, but whose result would make the model invalid, so they become conflicts. The
  /// keys are the elements' paths. The values contain the reasons.
  let forced: [[ElementKey]: InvalidModel]
  private(set) var conflicts: [MergeConflict] = []

  mutating func merge(
    _ base: TextElement?, _ ours: TextElement, _ theirs: TextElement
  ) -> MergedNode {
    both(base, ours, theirs, at: [], isTwoWay: !hasBase)
  }

  /// Merges an element that both sides have.
  private mutating func both(
    _ base: TextElement?, _ ours: TextElement, _ theirs: TextElement, at path: [ElementKey],
    isTwoWay: Bool
  ) -> MergedNode {
    if let node = forcedConflict(base, ours, theirs, at: path) { return node }
    if forced.isEmpty, let node = Self.unchanged(base, ours, theirs) { return node }
    if base == nil, hasBase, !path.isEmpty, path.last?.isContainer == false {
      if ours.covers(theirs) { return .kept(ours) }
      if theirs.covers(ours) { return .kept(theirs) }
    }
    if let parts = PartsConflict.find(base, ours, theirs) {
      return conflict(ours, theirs, at: path, parts)
    }
    // If both sides have added the element, it has no common ancestor.
    let isTwoWay = isTwoWay || base == nil
    let tag = AttributeMerge(base: base, ours: ours, theirs: theirs, isTwoWay: isTwoWay).merge()
    let first = conflicts.count
    for (name, kind) in tag.conflicts {
      let mark = [ours, theirs].lazy.compactMap { side in
        side.attributes.first { $0.name == name }?.text
      }.first
      conflicts.append(MergeConflict(path: path, kind: kind, mark: mark ?? ours.head))
    }
    let numbers = Array(first..<conflicts.count)
    let children = children(base, ours, theirs, at: path, isTwoWay: isTwoWay)
    return .element(
      MergedElement(
        lead: mergedText(base?.lead, ours.lead, theirs.lead), tag: tag.tag, conflicts: numbers,
        children: children, sides: (base, ours, theirs)))
  }

  /// Returns the merged element if one side hasn't changed it or both sides are equal, which applies to most elements.
  /// Otherwise, returns nil.
  private static func unchanged(
    _ base: TextElement?, _ ours: TextElement, _ theirs: TextElement
  ) -> MergedNode? {
    if ours.isWritten(as: theirs) { return .kept(ours) }
    guard let base else { return nil }
    if base.isWritten(as: theirs) { return .kept(ours) }
    return base.isWritten(as: ours) ? .kept(theirs) : nil
  }

  private mutating func children(
    _ base: TextElement?, _ ours: TextElement, _ theirs: TextElement, at path: [ElementKey],
    isTwoWay: Bool
  ) -> [MergedNode] {
    let sides = (
      Siblings(base, at: path, .none), Siblings(ours, at: path, names.ours),
      Siblings(theirs, at: path, names.theirs)
    )
    var nodes: [ElementKey: MergedNode] = [:]
    var seen = Set<ElementKey>()
    for key in sides.1.keys + sides.2.keys where seen.insert(key).inserted {
      nodes[key] = child(
        sides.0[key], sides.1[key], sides.2[key], at: path + [key], isTwoWay: isTwoWay)
    }
    let order = SiblingOrder(
      base: sides.0, ours: sides.1, theirs: sides.2, kept: Set(nodes.keys),
      isRenaming: !names.ours.isEmpty || !names.theirs.isEmpty)
    return order.keys.compactMap { nodes[$0] }
  }

  /// Merges a child that at least one side has. Returns nil if the child is removed.
  private mutating func child(
    _ base: TextElement?, _ ours: TextElement?, _ theirs: TextElement?, at path: [ElementKey],
    isTwoWay: Bool
  ) -> MergedNode? {
    if path.last?.isContainer == true, hasBase, let any = ours ?? theirs {
      return container(base, ours, theirs, any.emptied, at: path)
    }
    switch (ours, theirs) {
    case (let ours?, let theirs?): return both(base, ours, theirs, at: path, isTwoWay: isTwoWay)
    case (let ours?, nil): return oneSided(base, ours, of: .ours, at: path, isTwoWay)
    case (nil, let theirs?): return oneSided(base, theirs, of: .theirs, at: path, isTwoWay)
    case (nil, nil): return nil
    }
  }

  /// Merges containers. A missing container is equivalent to an empty one, so both sides can add
  /// the first entry, constraint or index without a conflict. The exception is `elements`: it stays removed if a side
  /// has removed it.
  private mutating func container(
    _ base: TextElement?, _ ours: TextElement?, _ theirs: TextElement?, _ empty: TextElement,
    at path: [ElementKey]
  ) -> MergedNode? {
    let isGone = base != nil && (ours == nil || theirs == nil)
    if isGone, path.last?.kind == "elements" { return nil }
    let node = both(
      base ?? empty, ours ?? empty, theirs ?? empty, at: path, isTwoWay: false)
    guard node.hasNothingInside else { return node }
    // A container that was already empty is kept, because old versions of Xcode write empty containers.
    let wasFilled = ours?.children.isEmpty == false && theirs?.children.isEmpty == false
    return isGone || wasFilled ? nil : node
  }

  /// Merges an element that only one side has.
  private mutating func oneSided(
    _ base: TextElement?, _ element: TextElement, of side: MergeSide, at path: [ElementKey],
    _ isTwoWay: Bool
  ) -> MergedNode? {
    let sides = (
      ours: side == .ours ? element : nil, theirs: side == .theirs ? element : nil
    )
    if let node = forcedConflict(base, sides.ours, sides.theirs, at: path) { return node }
    guard let base else {
      guard isTwoWay, path.last?.isDiagram == false else { return .kept(element) }
      return conflict(sides.ours, sides.theirs, at: path, .only(side))
    }
    if path.last?.isDiagram == true || base.isSame(as: element) { return nil }
    let change = ChangeSummary(from: base, to: element).sentence
    return conflict(
      sides.ours, sides.theirs, at: path, .removed(by: side.other, change: change))
  }

  private mutating func conflict(
    _ ours: TextElement?, _ theirs: TextElement?, at path: [ElementKey],
    _ kind: MergeConflict.Kind
  ) -> MergedNode {
    conflicts.append(
      MergeConflict(path: path, kind: kind, mark: (ours ?? theirs)?.head ?? ""))
    return .conflict(ours: ours, theirs: theirs, number: conflicts.count - 1)
  }

  private mutating func forcedConflict(
    _ base: TextElement?, _ ours: TextElement?, _ theirs: TextElement?, at path: [ElementKey]
  ) -> MergedNode? {
    // If only one side has added the element, an error in one of its descendants makes the whole element a conflict.
    let isWhole = base == nil && (ours == nil || theirs == nil)
    let reason =
      forced[path]
      ?? (isWhole
        ? forced.filter { $0.key.starts(with: path) }.map(\.value).min { $0.reason < $1.reason }
        : nil)
    guard let reason else { return nil }
    return conflict(
      ours, theirs, at: path,
      .invalid(
        reason, ours: ChangeSummary(from: base, to: ours).sentence,
        theirs: ChangeSummary(from: base, to: theirs).sentence))
  }
}

/// Finds conflicts between parts that aren't merged one by one: the columns of an index, and the attributes of a
/// constraint or compound index.
enum PartsConflict {
  /// Returns the conflict if both sides changed such parts differently, and otherwise nil.
  static func find(
    _ base: TextElement?, _ ours: TextElement, _ theirs: TextElement
  ) -> MergeConflict.Kind? {
    guard let base else { return nil }
    let (old, own, other) = (parts(of: base), parts(of: ours), parts(of: theirs))
    guard own != other else { return nil }
    switch ours.name {
    case "fetchIndex":
      guard merged(old, own, other) == nil else { return nil }
      return .parts("columns", ours: list(own), theirs: list(other))
    case "uniquenessConstraints", "compoundIndexes":
      // A constraint has no name, so changing it is like removing it and adding another one. If both sides have removed
      // the same constraint but haven't added the same ones, they have changed it differently.
      let gone = Set(old).subtracting(own).subtracting(other)
      let new = (Set(own).subtracting(old), Set(other).subtracting(old))
      guard !gone.isEmpty, new.0 != new.1 else { return nil }
      let noun = ours.name == "compoundIndexes" ? "compound indexes" : "constraints"
      return .parts(noun, ours: list(own), theirs: list(other))
    default: return nil
    }
  }

  private static func parts(of element: TextElement) -> [ExactText] {
    ElementKey.keys(of: element.children, in: [], .none).map { ExactText($0.name) }
  }

  private static func list(_ parts: [ExactText]) -> String {
    parts.isEmpty ? "none" : parts.map { "(\($0.text))" }.joined(separator: ", ")
  }
}

/// The order of a merged element's children.
struct SiblingOrder {
  let base: Siblings
  let ours: Siblings
  let theirs: Siblings
  let kept: Set<ElementKey>
  /// Whether a side has renamed elements.
  let isRenaming: Bool

  var keys: [ElementKey] {
    // If an element is renamed and both sides are sorted, the merged elements are sorted by their new names.
    guard isRenaming, isSorted(ours), isSorted(theirs) else { return order { _ in true } }
    let kinds = Dictionary(grouping: kept, by: \.kind).keys.sorted {
      (XcodeOrder.rank(ofElement: $0), $0) < (XcodeOrder.rank(ofElement: $1), $1)
    }
    return kinds.flatMap { kind in
      order { $0.kind == kind }.map { ($0, named($0)) }
        .stablySorted { $0.1.precedes($1.1) }.map(\.0)
    }
  }

  private func order(of isIncluded: (ElementKey) -> Bool) -> [ElementKey] {
    SequenceMerge.order(
      base: base.keys.filter(isIncluded), ours: ours.keys.filter(isIncluded),
      theirs: theirs.keys.filter(isIncluded), kept: kept
    ) { $0.precedes($1) }
  }

  /// Returns the key with its name in the merged file.
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

/// The children of an element by their keys.
struct Siblings {
  let keys: [ElementKey]
  private let elements: [ElementKey: TextElement]

  init(_ parent: TextElement?, at path: [ElementKey], _ names: RenamedNames) {
    let children = parent?.children ?? []
    keys = ElementKey.keys(of: children, in: path, names)
    elements = Dictionary(zip(keys, children)) { first, _ in first }
  }

  subscript(_ key: ElementKey) -> TextElement? { elements[key] }

  /// The keys with the elements' names in this file, even if the base has other names.
  var names: [ElementKey] {
    keys.map { key in
      var named = key
      named.name = elements[key]?["name"] ?? key.name
      return named
    }
  }
}
