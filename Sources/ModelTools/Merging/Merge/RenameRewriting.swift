import StoreDiagnostics

/// Brings references up to date with names that a side has changed, in all files of a merge alike, so that a
/// rename on one side and a new reference on the other fit together.
struct RenameRewriting {
  /// By the names in the base, what the merged file calls them.
  private var entities: ExactDictionary<String> = [:]
  private var properties: ExactDictionary<ExactDictionary<String>> = [:]

  /// Where both sides have renamed the same, ours counts here, and the names themselves are in conflict.
  init(ours: RenamedNames, theirs: RenamedNames) {
    for side in [theirs, ours] {
      for (name, base) in side.entities { entities[base] = name }
      for (entity, pairs) in side.properties {
        for (name, base) in pairs { properties[entity, default: [:]][base] = name }
      }
    }
  }

  /// The names of the merged file.
  var names: RenamedNames {
    var names = RenamedNames()
    for (base, name) in entities { names.entities[name] = base }
    for (entity, pairs) in properties {
      for (base, name) in pairs { names.properties[entity, default: [:]][name] = base }
    }
    return names
  }

  /// The file with its references in the names of the merged one.
  func rewritten(_ root: TextElement, _ names: RenamedNames) -> TextElement {
    guard !entities.isEmpty || !properties.isEmpty else { return root }
    var root = root
    rewrite(&root, names, owner: nil)
    return root
  }

  private func rewrite(_ element: inout TextElement, _ names: RenamedNames, owner: String?) {
    let owner =
      element.name == "entity" ? element["name"].map { names.entities[$0] ?? $0 } : owner
    switch element.name {
    case "relationship":
      if let target = element["inverseEntity"], let inverse = element["inverseName"] {
        set("inverseName", inverse, of: names.entities[target] ?? target, in: &element, names)
      }
      for name in ["destinationEntity", "inverseEntity"] { setEntity(name, in: &element, names) }
    case "entity": setEntity("parentEntity", in: &element, names)
    case "fetchRequest": setEntity("entity", in: &element, names)
    case "memberEntity", "element": setEntity("name", in: &element, names)
    case "fetchIndexElement":
      if let owner, let name = element["property"] {
        set("property", name, of: owner, in: &element, names)
      }
    case "constraint", "index":
      if let owner, let name = element["value"] {
        set("value", name, of: owner, in: &element, names)
      }
    default: break
    }
    for index in element.children.indices {
      rewrite(&element.children[index], names, owner: owner)
    }
  }

  private func setEntity(
    _ attribute: String, in element: inout TextElement, _ names: RenamedNames
  ) {
    guard let name = element[attribute] else { return }
    let base = names.entities[name] ?? name
    if let merged = entities[base], !merged.isExactly(name) { element.set(attribute, to: merged) }
  }

  private func set(
    _ attribute: String, _ name: String, of entity: String, in element: inout TextElement,
    _ names: RenamedNames
  ) {
    let base = names.properties[entity]?[name] ?? name
    if let merged = properties[entity]?[base], !merged.isExactly(name) {
      element.set(attribute, to: merged)
    }
  }
}
