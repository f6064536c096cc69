import StoreLayout
import StoreModel

/// The properties that a user wants left out of a comparison.
struct IgnoredProperties {
  /// By the entity that was named with it; nil for all.
  private var names: [String?: Set<String>] = [:]
  private let models: [Model]

  /// - Throws: `ComparisonError.unknownProperty`, `.unknownEntity`
  init(_ texts: [String], in layouts: [StoreLayout]) throws(ComparisonError) {
    models = layouts.map(\.model)
    let known = layouts.flatMap(\.entities)
    let all = Set(known.flatMap(\.storedProperties.keys))
    for text in texts {
      // An element of a composite has a point in its name, too.
      if all.contains(where: { Self.covers(text, $0) }) {
        names[nil, default: []].insert(text)
        continue
      }
      let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw .unknownProperty(text, entity: nil, known: all.sorted())
      }
      let places = known.filter { $0.name == parts[0] }
      guard !places.isEmpty else { throw .unknownEntity(parts[0], known: known.map(\.name)) }
      let properties = Set(places.flatMap(\.storedProperties.keys))
      guard properties.contains(where: { Self.covers(parts[1], $0) }) else {
        throw .unknownProperty(parts[1], entity: parts[0], known: properties.sorted())
      }
      names[parts[0], default: []].insert(parts[1])
    }
  }

  func contains(_ property: String, of entity: EntityLayout) -> Bool {
    contains(property, named: entity.name)
  }

  /// What is ignored of an entity is ignored of those below it.
  func contains(_ property: String, named entity: String) -> Bool {
    let owners: [String] = models.flatMap { model in
      model.entity(named: entity).map { [$0] + model.ancestors(of: $0) }?.map(\.name) ?? []
    }
    let ignored = (names[nil] ?? []).union(owners.flatMap { names[$0] ?? [] })
    return ignored.contains { Self.covers($0, property) }
  }

  /// `place` is all of `place.street` and `place.city`.
  private static func covers(_ name: String, _ property: String) -> Bool {
    name == property || property.hasPrefix("\(name).")
  }
}
