import StoreDiagnostics
import StoreLayout
package import StoreModel
package import StorePredicate

/// How the rows of one model version become rows of another, as a value: what Core Data calls a
/// mapping model. Inference makes it, a definition in `Migrations/` changes it, the planner reads it.
package struct ModelMapping: Hashable, Sendable {
  package let source: Model
  package let target: Model
  /// Source entities that stand in none lose their rows; target entities that stand in none begin
  /// empty. An entity can stand in several: that splits or merges it.
  package var entities: [EntityMapping]
  /// What a definition says beyond where rows and values come from; nil where all is inferred, so
  /// that the mapping can be one with the next.
  package var definition: DefinedParts?

  package init(
    from source: Model, to target: Model, entities: [EntityMapping], definition: DefinedParts? = nil
  ) {
    self.source = source
    self.target = target
    self.entities = entities
    self.definition = definition
  }

  /// - Parameter losses: what the program's step takes over.
  mutating func addStep(for jump: VersionJump, allowing losses: AllowedLosses) {
    var parts = definition ?? DefinedParts()
    parts.step = jump
    switch losses {
    case .all: parts.allowedLosses.formUnion(source.lossNames)
    case .some(let names):
      parts.allowedLosses.formUnion(names.map { source.declaringName(of: $0) ?? $0 })
    }
    definition = parts
  }

  /// Whether the definition lets something go: `Item.note`, or `Item` for its rows.
  func intends(_ loss: String) -> Bool {
    let allowed = definition?.allowedLosses ?? []
    return allowed.contains(loss) || allowed.contains(String(loss.prefix { $0 != "." }))
  }
}

/// What a definition says beyond where rows and values come from.
package struct DefinedParts: Hashable, Sendable {
  /// SQL, each of one statement or more, that runs as it is written, on the store as the source
  /// version has it.
  package var before: [Written<String>] = []
  /// The same on the store as the target version has it.
  package var after: [Written<String>] = []
  /// What it drops knowingly, by name: `Item.note`, `Item.tags`, or `Item`.
  package var allowedLosses: Set<String> = []
  /// The jump for which the program has a step of its own, which runs last.
  package var step: VersionJump?

  package var hasStatements: Bool { !before.isEmpty || !after.isEmpty }
}

/// Where the rows of one target entity come from.
package struct EntityMapping: Hashable, Sendable {
  /// The rows of this entity alone, without those of its sub-entities.
  package var source: String
  package var target: String
  /// Over the source row; nil takes all rows.
  package var filter: TypedPredicate?
  /// Every stored attribute of the target entity, inherited ones included.
  package var attributes: [String: AttributeOrigin]
  /// Every stored relationship of the target entity, inherited ones included.
  package var relationships: [String: RelationshipOrigin]

  package init(
    from source: String, to target: String, filter: TypedPredicate? = nil,
    attributes: [String: AttributeOrigin] = [:],
    relationships: [String: RelationshipOrigin] = [:]
  ) {
    self.source = source
    self.target = target
    self.filter = filter
    self.attributes = attributes
    self.relationships = relationships
  }
}

extension EntityMapping {
  /// What properties of the target were in the source, where their names don't say it: nothing for
  /// those that are new.
  package var propertySources: [String: Set<String>] {
    var sources: [String: Set<String>] = [:]
    for (path, origin) in attributes {
      // A composite is one property, whatever its elements are called.
      let name = path.property
      switch origin.source {
      case .nothing: sources[name] = sources[name] ?? []
      case .attribute(let old): sources[name, default: []].insert(old.property)
      case .expression: sources[name, default: []].insert(name)
      }
    }
    for (name, origin) in relationships {
      switch origin {
      case .nothing: sources[name] = []
      case .relationship(let old): sources[name] = [old]
      case .path, .matching: continue
      }
    }
    return sources.filter { name, sources in sources.exact != [ExactText(name)] }
  }
}

extension String {
  /// `address` of `address.city`.
  fileprivate var property: String { String(prefix { $0 != "." }) }
}

/// Where the value of an attribute comes from.
package struct AttributeOrigin: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    case nothing
    /// An attribute of the source entity; its value is converted where the types differ.
    case attribute(String)
    /// Over the source row, of the attribute's type: attributes, key paths to other rows, functions.
    case expression(TypedExpression)
  }

  package var source: Source
  /// What takes the place of NULL: the default of an attribute that is new or became required.
  package var fallback: Value?

  package init(_ source: Source, fallback: Value? = nil) {
    self.source = source
    self.fallback = fallback
  }
}

/// Where the destinations of a relationship come from.
package enum RelationshipOrigin: Hashable, Sendable {
  case nothing
  /// A relationship of the source entity; its pairs are kept.
  case relationship(String)
  /// A key path over the source row that leads to source objects: what has become of them is taken.
  case path(TypedExpression)
  /// The target rows that match.
  case matching(TypedMatch)
}

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

extension Model {
  /// An attribute that has a column, or an element of a composite by its path.
  package func storedAttribute(_ path: String, of entity: String) -> Attribute? {
    self.entity(named: entity).flatMap { entity in
      storedAttributes(of: entity).first { $0.name == path }
    }
  }

  func storedType(of path: String, in entity: String) -> AttributeType? {
    storedAttribute(path, of: entity)?.type
  }
}
