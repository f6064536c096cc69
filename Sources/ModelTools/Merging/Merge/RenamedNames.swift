import StoreDiagnostics

/// The names of renamed entities and properties in the base, for one file of a merge.
struct RenamedNames: Sendable {
  /// The entities by their name in this file.
  var entities: ExactDictionary<String> = [:]
  /// The properties by the entity's name in the base, then by their name in this file.
  var properties: ExactDictionary<ExactDictionary<String>> = [:]

  static let none = RenamedNames()

  var isEmpty: Bool { entities.isEmpty && properties.isEmpty }

  static let propertyKinds: Set = ["attribute", "relationship", "fetchedProperty"]

  func baseName(of key: ElementKey, in parent: [ElementKey]) -> String {
    if parent.isEmpty, key.kind == "entity" { return entities[key.name] ?? key.name }
    guard parent.count == 1, Self.propertyKinds.contains(key.kind) else { return key.name }
    return properties[parent[0].name]?[key.name] ?? key.name
  }

  /// Finds the elements that a side has renamed.
  ///
  /// Elements of one kind are matched by their canonical identifiers first: the renaming identifier, or the name
  /// without one. The remaining elements are matched by name, and then by an identifier that is the other one's name.
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
    var taken: Set<ExactText> = []
    func pair(where matches: (_ old: TextElement, _ new: TextElement) -> Bool) {
      for (name, element) in new.sorted(by: { $0.key < $1.key }) where found[name] == nil {
        let origins = old.filter { origin, candidate in
          candidate.name == element.name && !taken.contains(ExactText(origin))
            && matches(candidate, element)
        }
        // If several match, the origin is uncertain.
        guard origins.count == 1, let origin = origins.keys.first else { continue }
        found[name] = origin
        taken.insert(ExactText(origin))
      }
    }
    pair {
      $0["name"].isExactly($1["name"]) && $0.canonicalIdentifier.isExactly($1.canonicalIdentifier)
    }
    pair { $0.canonicalIdentifier.isExactly($1.canonicalIdentifier) }
    pair { $1["elementID"] != nil && $0["name"].isExactly($1["elementID"]) }
    pair { $0["name"].isExactly($1["name"]) }
    found = found.filter { !$0.key.isExactly($0.value) }
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

extension TextElement {
  /// The renaming identifier, or the name without one.
  fileprivate var canonicalIdentifier: String? { self["elementID"] ?? self["name"] }
}
