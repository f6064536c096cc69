import StoreLayout
import StoreDiagnostics
import StoreModel
import StorePredicate

extension DefinitionChecker {
  mutating func destinations(
    _ line: RelationshipDefinition, _ entity: DefinedLine
  ) -> RelationshipOrigin? {
    guard let relationship = relationship(line.name, of: entity.target) else { return nil }
    return switch line.destinations {
    case .path(let written): path(written, of: relationship, entity.source)
    case .matching(let written): matching(written, of: relationship, entity.source)
    }
  }

  private mutating func relationship(_ name: Written<String>, of entity: EntityDescription)
    -> RelationshipDescription?
  {
    switch target.property(named: name.meaning, of: entity)?.0 {
    case .relationship(let relationship) where !relationship.isTransient: return relationship
    case .relationship: report(.transient(name.meaning, entity: entity.name), at: name.place)
    case .attribute: report(.isAttribute(name.meaning, entity: entity.name), at: name.place)
    case .fetched, nil:
      let known = target.relationships(of: entity).map(\.name)
      report(
        .unknownProperty(name.meaning, entity: entity.name, version: target.name, known: known),
        at: name.place)
    }
    return nil
  }

  private mutating func path(
    _ written: Written<FormatExpression>, of relationship: RelationshipDescription,
    _ entity: EntityDescription
  ) -> RelationshipOrigin? {
    let expression = Self.overRow(written.meaning)
    if expression.kind == .constant(.null) { return .nothing }
    guard let checked = checked(expression, of: entity, at: written.place),
      isBound(checked.variables, at: written.place)
    else { return nil }
    guard case .object(let member) = checked.type.element else {
      report(.leadsToValues(checked.type, relationship.name), at: written.place)
      return nil
    }
    if checked.type.isCollection, !relationship.isToMany {
      report(.manyForOne(relationship.name), at: written.place)
    }
    guard becomes(member, relationship.destination) else {
      report(
        .noWay(member, destination: relationship.destination, relationship.name),
        at: written.place)
      return nil
    }
    if let name = expression.ownPath,
      source.relationships(of: entity).contains(where: { $0.name == name })
    {
      return .relationship(name)
    }
    return .path(checked.typed)
  }

  /// Whether rows of a source entity, one of its ancestors or one of its sub-entities become rows of a target entity.
  private func becomes(_ old: String, _ new: String) -> Bool {
    guard let old = source.entity(named: old) else { return false }
    return routes(into: new).contains { route in
      source.entity(named: route.source).map {
        source.isKind($0, of: old) || source.isKind(old, of: $0)
      } ?? false
    }
  }

  /// Returns the routes to rows of a target entity or one of its sub-entities.
  private func routes(into name: String) -> [EntityRoute] {
    guard let new = target.entity(named: name) else { return [] }
    return routes.filter { route in
      target.entity(named: route.target).map { target.isKind($0, of: new) } ?? false
    }
  }

  private mutating func matching(
    _ written: Written<FormatPredicate>, of relationship: RelationshipDescription,
    _ entity: EntityDescription
  ) -> RelationshipOrigin? {
    guard !routes(into: relationship.destination).isEmpty else {
      report(.noRows(relationship.destination, relationship.name), at: written.place)
      return nil
    }
    do throws(CheckErrors) {
      let match = try TypedMatch(
        MatchPredicate(written.meaning), source: (source, entity.name),
        target: (target, relationship.destination))
      return isBound(match.variables, at: written.place) ? .matching(match) : nil
    } catch {
      report(error, at: written.place)
      return nil
    }
  }

  // MARK: Sides

  /// A relationship with a `<relationship>` element, and its inverse.
  private struct Side {
    var line: Int
    var name: Written<String>
    var relationship: RelationshipDescription
    var owner: EntityDescription
    var inverse: RelationshipDescription
    var inverseOwner: EntityDescription
  }

  private var sides: [Side] {
    lines.flatMap { line in
      line.definition.relationships.compactMap { definition in
        guard
          case (.relationship(let relationship), let owner)? = target.property(
            named: definition.name.meaning, of: line.target),
          let (inverse, inverseOwner) = target.sharedInverse(of: relationship, declaredBy: owner)
        else { return nil }
        return Side(
          line: line.index, name: definition.name, relationship: relationship, owner: owner,
          inverse: inverse, inverseOwner: inverseOwner)
      }
    }
  }

  /// Reports elements for the wrong side of a relationship. In a one-to-many relationship, only the to-one side may
  /// specify destinations. In a many-to-many relationship, only one side may have an element. In a Core Data mapping
  /// model, elements for the wrong side are ignored instead.
  mutating func checkSides() {
    let sides = sides
    for (index, side) in sides.enumerated() where side.relationship.isToMany {
      let inverse = "\(side.inverseOwner.name).\(side.inverse.name)"
      let name = "\(side.owner.name).\(side.relationship.name)"
      let other = sides[..<index].first {
        $0.owner.name == side.inverseOwner.name && $0.relationship.name == side.inverse.name
      }
      if !side.inverse.isToMany || other != nil, definition.isMappingModel {
        lines[side.line].relationships[side.relationship.name] = nil
      } else if !side.inverse.isToMany {
        guard lines[side.line].relationships[side.relationship.name] != .nothing else { continue }
        report(.otherSideTells(name, inverse: inverse), at: side.name.place)
      } else if let other, other.relationship != side.relationship {
        report(
          .bothSides(name, inverse: inverse, line: other.name.place.start?.line),
          at: side.name.place)
      }
    }
  }

  /// If an element defines only one side of a relationship, removes the inferred origin of the other side.
  func clearInverses(in mapping: inout ModelMapping) {
    let sides = sides.filter { lines[$0.line].relationships[$0.relationship.name] != nil }
    for side in sides {
      let isSaid = sides.contains {
        $0.owner.name == side.inverseOwner.name && $0.relationship.name == side.inverse.name
      }
      guard !isSaid else { continue }
      for index in mapping.entities.indices {
        guard let entity = target.entity(named: mapping.entities[index].target),
          target.isKind(entity, of: side.inverseOwner)
        else { continue }
        mapping.entities[index].relationships[side.inverse.name] = .nothing
      }
    }
  }
}
