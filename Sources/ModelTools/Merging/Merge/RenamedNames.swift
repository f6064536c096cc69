import StoreDiagnostics

/// The entities and properties that one file of a merge has renamed, with their names in the base.
struct RenamedNames: Sendable {
  /// The names that renamed entities have in the base, by their names in this file.
  var entities: ExactDictionary<String> = [:]
  /// The names that renamed properties have in the base, by the entity's name in the base and the property's name in
  /// this file.
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
  /// The canonical identifier of an element is its renaming identifier or, if there is none, its name. Elements with
  /// the same XML name are matched in this order: by name and canonical identifier, by canonical identifier alone, by a
  /// renaming identifier that is the name in the base, and by name alone.
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
        // If several elements of the base match, none of them is used.
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
  /// The renaming identifier or, if there is none, the name.
  fileprivate var canonicalIdentifier: String? { self["elementID"] ?? self["name"] }
}
