import StoreDiagnostics
import StoreLayout
package import StoreModel
package import StorePredicate

/// A mapping from the rows of one model version to the rows of another, which Core Data calls a mapping model. It is
/// inferred, can be modified by a definition in `Migrations/`, and is the input of the planner.
package struct ModelMapping: Hashable, Sendable {
  package let source: DataModel
  package let target: DataModel
  /// The mappings of entities. A source entity without a mapping loses its rows, and a target entity without a mapping
  /// has no rows. An entity with several mappings is split or merged.
  package var entities: [EntityMapping]
  /// The other parts of a definition; nil without a definition or custom step.
  package var definition: DefinedParts?

  package init(
    from source: DataModel, to target: DataModel, entities: [EntityMapping],
    definition: DefinedParts? = nil
  ) {
    self.source = source
    self.target = target
    self.entities = entities
    self.definition = definition
  }

  /// Adds a custom step.
  ///
  /// - Parameter losses: the losses that the step allows.
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

  /// Whether the definition allows a loss such as `Item.note`, or the loss of all rows of its entity.
  func intends(_ loss: String) -> Bool {
    let allowed = definition?.allowedLosses ?? []
    return allowed.contains(loss) || allowed.contains(String(loss.prefix { $0 != "." }))
  }
}

/// The parts of a definition other than the origins of rows and values.
package struct DefinedParts: Hashable, Sendable {
  /// SQL that runs unchanged on the store in the source version. Each element contains one or more statements.
  package var before: [Written<String>] = []
  /// SQL that runs unchanged on the store in the target version. Each element contains one or more statements.
  package var after: [Written<String>] = []
  /// The names of the losses that the definition allows, such as `Item.note`, `Item.tags` or `Item`.
  package var allowedLosses: Set<String> = []
  /// The versions of the program's custom step, which runs last; nil without a custom step.
  package var step: VersionJump?

  package var hasStatements: Bool { !before.isEmpty || !after.isEmpty }
}

/// The origin of the rows of a target entity.
package struct EntityMapping: Hashable, Sendable {
  /// The name of the source entity. Rows of its sub-entities aren't included.
  package var source: String
  package var target: String
  /// A condition over the source row; nil selects all rows.
  package var filter: TypedPredicate?
  /// The origins of all stored attributes of the target entity, including inherited ones, by the attribute's name.
  package var attributes: [String: AttributeOrigin]
  /// The origins of all stored relationships of the target entity, including inherited ones, by the relationship's
  /// name.
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
  /// The names of the source properties by the target property's name, for target properties whose source has another
  /// name. The set is empty for new properties.
  package var propertySources: [String: Set<String>] {
    var sources: [String: Set<String>] = [:]
    for (path, origin) in attributes {
      // A composite is one property, regardless of the names of its elements.
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
  /// The name of the property in a path: `address` for `address.city`.
  fileprivate var property: String { String(prefix { $0 != "." }) }
}

/// The origin of an attribute's value.
package struct AttributeOrigin: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// The value is NULL or the fallback.
    case nothing
    /// An attribute of the source entity, whose value is converted if the types differ.
    case attribute(String)
    /// An expression over the source row. Its type is the type of the attribute.
    case expression(TypedExpression)

    /// The attribute of the source that is copied or converted, if there is one.
    var attribute: String? {
      if case .attribute(let name) = self { name } else { nil }
    }
  }

  package var source: Source
  /// The value that replaces NULL: the default in a definition, or of an attribute that is new or became required.
  package var fallback: DataValue?

  package init(_ source: Source, fallback: DataValue? = nil) {
    self.source = source
    self.fallback = fallback
  }
}

/// The origin of a relationship's destinations.
package enum RelationshipOrigin: Hashable, Sendable {
  /// This side of the relationship doesn't determine destinations. The inverse may determine them.
  case nothing
  /// A relationship of the source entity, whose pairs are kept.
  case relationship(String)
  /// A key path from the source row to source objects. The destinations are the target rows that these source objects
  /// become.
  case path(TypedExpression)
  /// The target rows that match a predicate.
  case matching(TypedMatch)

  /// The relationship of the source that is copied, if there is one.
  var relationship: String? {
    if case .relationship(let name) = self { name } else { nil }
  }

  var isMatching: Bool {
    if case .matching = self { true } else { false }
  }
}

extension ModelMapping {
  /// Returns one mapping that has the same effect as this mapping followed by the next mapping, so that a chain of
  /// versions visits each row once. Returns nil if one of the mappings isn't inferred (`isInferred`), or if a value
  /// would be converted through a third type.
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

  /// Whether the mapping doesn't contain a definition, a custom step, a filter, an expression, a key path or a match.
  package var isInferred: Bool {
    definition == nil
      && entities.allSatisfy { entity in
        entity.filter == nil
          && entity.attributes.values.allSatisfy {
            if case .expression = $0.source { false } else { true }
          }
          && entity.relationships.values.allSatisfy { $0 == .nothing || $0.relationship != nil }
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
      guard let from = source.storedAttribute(old, of: first.source)?.type,
        let by = target.storedAttribute(middle, of: first.target)?.type,
        let to = next.target.storedAttribute(name, of: second.target)?.type
      else { return nil }
      // A conversion through a third type may lose data that a direct conversion keeps.
      let isCopied =
        Conversion(from: from, to: by) == .copy && Conversion(from: by, to: to) == .copy
        && Conversion(from: from, to: to) == .copy
      guard from == by || by == to || isCopied else { return nil }
    }
    for (name, origin) in second.relationships {
      both.relationships[name] =
        origin.relationship.map { first.relationships[$0] ?? .nothing } ?? origin
    }
    return both
  }
}

extension DataModel {
  /// Returns the stored attribute with this name, or a composite's element with this path, such as `address.city`.
  package func storedAttribute(_ path: String, of entity: String) -> AttributeDescription? {
    self.entity(named: entity).flatMap { entity in
      storedAttributes(of: entity).first { $0.name == path }
    }
  }

  /// Returns the relationship of an entity or one of its ancestors.
  func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
    guard let entity = self.entity(named: entity),
      case .relationship(let relationship)? = property(named: name, of: entity)?.0
    else { return nil }
    return relationship
  }
}
