import StoreDiagnostics
import StoreModel

/// Merges the start tags of an element, attribute by attribute.
struct AttributeMerge {
  let base: TextElement?
  let ours: TextElement
  let theirs: TextElement
  /// Whether the element has no common ancestor. In this case, each attribute whose values differ is a conflict, except
  /// positions in Xcode's editor and the versions of Xcode and macOS.
  let isTwoWay: Bool

  /// Returns the merged start tag without `>` or `/>`, in a variant for each side, and the attributes in conflict. The
  /// variants differ only in these attributes.
  func merge() -> (tag: (ours: String, theirs: String), conflicts: [(String, MergeConflict.Kind)]) {
    var chosen: [String: Choice] = [:]
    for name in Set((ours.attributes + theirs.attributes).map(\.name)) {
      chosen[name] = choice(of: name)
    }
    takeLaterTools(&chosen)
    let kept = Set(chosen.filter { $0.value.ours != nil || $0.value.theirs != nil }.keys)
    let order = SequenceMerge.order(
      base: base?.attributes.map(\.name) ?? [], ours: ours.attributes.map(\.name),
      theirs: theirs.attributes.map(\.name), kept: kept
    ) {
      XcodeOrder.rank(ofAttribute: $0, in: ours.name)
        < XcodeOrder.rank(ofAttribute: $1, in: ours.name)
    }
    var tag = (ours: "<" + ours.name, theirs: "<" + ours.name)
    for attribute in order.compactMap({ chosen[$0] }) {
      if let own = attribute.ours { tag.ours += own.lead + own.text }
      if let own = attribute.theirs { tag.theirs += own.lead + own.text }
    }
    let tail = mergedLayout(base?.tail, ours.tail, theirs.tail)
    return (
      (tag.ours + tail, tag.theirs + tail),
      order.compactMap { name in chosen[name]?.isConflict == true ? (name, kind(name)) : nil }
    )
  }

  private struct Choice {
    var ours: TextElement.Attribute?
    var theirs: TextElement.Attribute?
    var isConflict = false
  }

  private func kind(_ name: String) -> MergeConflict.Kind {
    .value(attribute: name, base: base?[name], ours: ours[name], theirs: theirs[name])
  }

  private func choice(of name: String) -> Choice {
    func attribute(_ element: TextElement?) -> TextElement.Attribute? {
      element?.attributes.first { $0.name == name }
    }
    let (old, own, other) = (attribute(base), attribute(ours), attribute(theirs))
    func take(_ attribute: TextElement.Attribute?) -> Choice {
      Choice(ours: attribute, theirs: attribute)
    }
    if isSame(own, other) { return take(merged(old, own, other) ?? own) }
    if ours.name == "element" { return take(diagram(old, own, other)) }
    guard !isTwoWay else { return Choice(ours: own, theirs: other, isConflict: true) }
    if isSame(own, old) { return take(other) }
    if isSame(other, old) { return take(own) }
    return Choice(ours: own, theirs: other, isConflict: true)
  }

  /// Merges an attribute of an entity's rectangle in Xcode's editor. If both sides changed it, our value is used. A
  /// height depends on the number of properties, so both changes to it are added if neither side changed the width.
  private func diagram(
    _ old: TextElement.Attribute?, _ own: TextElement.Attribute?, _ other: TextElement.Attribute?
  ) -> TextElement.Attribute? {
    if isSame(own, old) { return other }
    guard !isSame(other, old), var result = own, result.name == "height",
      let base, let before = Int(base["height"] ?? ""), let mine = Int(result.value),
      let yours = Int(other?.value ?? ""),
      Set([base["width"], ours["width"], theirs["width"]]).count == 1,
      case let height = mine + (yours - before), height > 0
    else { return own ?? other }
    result.value = "\(height)"
    result.text = "height=\"\(height)\""
    return result
  }

  private func isSame(_ one: TextElement.Attribute?, _ other: TextElement.Attribute?) -> Bool {
    (one?.value).isExactly(other?.value)
  }

  private static let tools = ["lastSavedToolsVersion", "systemVersion"]

  /// Chooses the versions of Xcode and macOS that saved the file, which are never a conflict. If both sides changed
  /// them, both are taken from the side with the later Xcode or, if these are equal, with the later macOS.
  private func takeLaterTools(_ chosen: inout [String: Choice]) {
    guard ours.name == "model" else { return }
    func saved(_ element: TextElement?) -> [String?] { Self.tools.map { element?[$0] } }
    let (old, own, other) = (saved(base), saved(ours), saved(theirs))
    let taken =
      (isTwoWay ? nil : merged(old, own, other)) ?? (isLater(other, than: own) ? other : own)
    let side = taken == own ? ours : theirs
    for name in Self.tools {
      let attribute = side.attributes.first { $0.name == name }
      chosen[name] = Choice(ours: attribute, theirs: attribute)
    }
  }

  private func isLater(_ saved: [String?], than other: [String?]) -> Bool {
    for (one, two) in zip(saved, other) where one != two {
      return NaturalOrder.isLess(two ?? "", one ?? "")
    }
    return false
  }
}
