import StoreDiagnostics

/// What entities and properties with another name are called in the base, for one file of a merge.
struct RenamedNames: Sendable {
  /// By their name here.
  var entities: ExactDictionary<String> = [:]
  /// By the entity's name in the base, then by their name here.
  var properties: ExactDictionary<ExactDictionary<String>> = [:]

  static let none = RenamedNames()

  var isEmpty: Bool { entities.isEmpty && properties.isEmpty }

  static let propertyKinds: Set = ["attribute", "relationship", "fetchedProperty"]

  func baseName(of key: ElementKey, in parent: [ElementKey]) -> String {
    if parent.isEmpty, key.kind == "entity" { return entities[key.name] ?? key.name }
    guard parent.count == 1, Self.propertyKinds.contains(key.kind) else { return key.name }
    return properties[parent[0].name]?[key.name] ?? key.name
  }

  /// What a side has renamed: what the base has under another name, and the side tells by its renaming
  /// identifier. A name that both have is the same thing, whatever the identifier says.
  init(from base: TextElement, to side: TextElement) {
    entities = Self.pairs(base, side) { $0 == "entity" }
    let bases = Self.byName(base) { $0 == "entity" }
    for entity in side.children where entity.name == "entity" {
      let name = entity["name"] ?? ""
      guard let old = bases[entities[name] ?? name] else { continue }
      let found = Self.pairs(old, entity) { Self.propertyKinds.contains($0) }
      if !found.isEmpty { properties[entities[name] ?? name] = found }
    }
  }

  init() {}

  private static func pairs(
    _ base: TextElement, _ side: TextElement, _ isOfKind: (String) -> Bool
  ) -> ExactDictionary<String> {
    let (old, new) = (byName(base, isOfKind), byName(side, isOfKind))
    var found: ExactDictionary<String> = [:]
    for (name, element) in new.sorted(by: { $0.key < $1.key }) where old[name] == nil {
      guard let identifier = element["elementID"] else { continue }
      let candidates = old.values.filter { candidate in
        candidate.name == element.name && new[candidate["name"] ?? ""] == nil
          && (identifier.isExactly(candidate["name"])
            || identifier.isExactly(candidate["elementID"]))
      }
      guard candidates.count == 1, let origin = candidates.first?["name"],
        !found.values.containsExactly(origin)
      else { continue }
      found[name] = origin
    }
    return found
  }

  private static func byName(
    _ parent: TextElement, _ isOfKind: (String) -> Bool
  ) -> ExactDictionary<TextElement> {
    ExactDictionary(
      parent.children.filter { isOfKind($0.name) }.compactMap { child in
        child["name"].map { ($0, child) }
      }
    ) { first, _ in first }
  }
}
