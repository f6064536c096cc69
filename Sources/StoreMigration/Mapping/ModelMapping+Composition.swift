import StoreDiagnostics

extension ModelMapping {
  /// This mapping and the next one as a single one, so that a chain of versions takes one pass over
  /// the rows; nil where that would not be the same: a filter, an expression, a conversion by way of
  /// a third type.
  package func followed(by next: ModelMapping) -> ModelMapping? {
    guard isInferred, next.isInferred else { return nil }
    var entities: [EntityMapping] = []
    for second in next.entities {
      for first in self.entities where first.target.isExactly(second.source) {
        guard let both = compose(first, second, into: next) else { return nil }
        entities.append(both)
      }
    }
    return ModelMapping(from: source, to: next.target, entities: entities)
  }

  /// Everything is a copy, a default or nothing.
  package var isInferred: Bool {
    definition == nil
      && entities.allSatisfy { entity in
        entity.filter == nil
          && entity.attributes.values.allSatisfy {
            if case .expression = $0.source { false } else { true }
          }
          && entity.relationships.values.allSatisfy {
            switch $0 {
            case .nothing, .relationship: true
            case .path, .matching: false
            }
          }
      }
  }

  private func compose(
    _ first: EntityMapping, _ second: EntityMapping, into next: ModelMapping
  ) -> EntityMapping? {
    var both = EntityMapping(from: first.source, to: second.target)
    for (name, origin) in second.attributes {
      guard case .attribute(let middle) = origin.source else {
        both.attributes[name] = origin
        continue
      }
      let before = first.attributes[middle] ?? .nothing
      both.attributes[name] = AttributeOrigin(
        before.source, fallback: before.fallback ?? origin.fallback)
      guard case .attribute(let old) = before.source else { continue }
      let types = (
        source.storedType(of: old, in: first.source),
        target.storedType(of: middle, in: first.target),
        next.target.storedType(of: name, in: second.target)
      )
      guard let from = types.0, let by = types.1, let to = types.2 else { return nil }
      // By way of a third type a value may lose what the direct way would keep.
      let isCopied =
        Conversion(from: from, to: by) == .copy && Conversion(from: by, to: to) == .copy
        && Conversion(from: from, to: to) == .copy
      guard from == by || by == to || isCopied else { return nil }
    }
    for (name, origin) in second.relationships {
      guard case .relationship(let middle) = origin else {
        both.relationships[name] = origin
        continue
      }
      both.relationships[name] = first.relationships[middle] ?? .nothing
    }
    return both
  }
}
