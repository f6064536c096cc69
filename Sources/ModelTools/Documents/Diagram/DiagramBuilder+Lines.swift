import StoreModel

extension DiagramBuilder {
  mutating func addInheritance() {
    for entity in model.entities {
      guard let child = entities[entity.name] else { continue }
      let parent = entity.parent.flatMap { entities[$0] }
      let former = changes.flatMap { formerParent(of: entity, in: $0) }
      if let parent {
        addInheritance(child, parent, changes == nil || parent == former ? nil : .added)
      }
      if let former, former != parent { addInheritance(child, former, .removed) }
    }
    for case .entity(let entity) in changes?.removals ?? [] {
      guard let child = box(ofFormerEntity: entity.name),
        let parent = entity.parent.flatMap(box(ofFormerEntity:))
      else { continue }
      addInheritance(child, parent, .removed)
    }
  }

  private func formerParent(of entity: EntityDescription, in changes: DiagramChanges) -> Int? {
    changes.entityNames.first { $0.value == entity.name }
      .flatMap { changes.source.entity(named: $0.key)?.parent }.flatMap(box(ofFormerEntity:))
  }

  private mutating func addInheritance(_ child: Int, _ parent: Int, _ mark: ChangeMark?) {
    lines.append(
      ModelDiagram.Line(
        kind: .inheritance, start: .init(box: child), end: .init(box: parent), mark: mark))
  }

  /// Adds a line from each attribute with a composite type to the composite. Removed attributes and composites have no
  /// lines.
  mutating func addComposites() {
    let owners =
      model.entities.map { (entities[$0.name], $0.attributes) }
      + model.composites.map { (composites[$0.name], $0.attributes) }
    for (owner, attributes) in owners {
      for attribute in attributes {
        guard case .composite(let name) = attribute.type, let target = composites[name],
          let owner, let row = row(named: attribute.name, nil, in: owner)
        else { continue }
        lines.append(
          ModelDiagram.Line(
            kind: .composite, start: .init(box: owner, row: row), end: .init(box: target),
            mark: mark(ofRow: row, in: owner)))
      }
    }
  }

  mutating func addRelationships() {
    var drawn: Set<ModelPart> = []
    for entity in model.entities {
      for relationship in entity.relationships {
        let inverse = model.partner(of: relationship, declaredBy: entity)
        addLine(
          from: entities[entity.name], relationship, inverse: inverse?.0, nil, &drawn,
          entity.name, inverse?.declaredBy.name, to: { [entities] in entities[$0] })
      }
    }
    addRemovedRelationships()
  }

  private mutating func addRemovedRelationships() {
    guard let changes else { return }
    let gone = changes.goneRelationships
    var drawn: Set<ModelPart> = []
    for entity in changes.source.entities {
      for relationship in entity.relationships
      where gone.contains(.property(relationship.name, of: entity.name)) {
        var inverse = changes.source.partner(of: relationship, declaredBy: entity)
        if let found = inverse,
          !gone.contains(.property(found.0.name, of: found.declaredBy.name))
        {
          inverse = nil
        }
        addLine(
          from: box(ofFormerEntity: entity.name), relationship, inverse: inverse?.0, .removed,
          &drawn, entity.name, inverse?.declaredBy.name, to: box(ofFormerEntity:))
      }
    }
  }

  /// Adds one line for a relationship and its inverse, unless the line was already added for the inverse.
  ///
  /// - Parameters:
  ///   - entity: the entity that declares the relationship.
  ///   - inverseEntity: the entity that declares the inverse.
  ///   - box: returns the index of an entity's box.
  private mutating func addLine(
    from start: Int?, _ relationship: RelationshipDescription, inverse: RelationshipDescription?,
    _ removed: ChangeMark?,
    _ drawn: inout Set<ModelPart>, _ entity: String, _ inverseEntity: String?,
    to box: (String) -> Int?
  ) {
    guard drawn.insert(.property(relationship.name, of: entity)).inserted, let start,
      let startRow = row(named: relationship.name, removed, in: start)
    else { return }
    var marks = [mark(ofRow: startRow, in: start)]
    var end: (box: Int, row: Int?)?
    if let inverse, let inverseEntity, let target = box(inverseEntity),
      let row = row(named: inverse.name, removed, in: target)
    {
      drawn.insert(.property(inverse.name, of: inverseEntity))
      marks.append(mark(ofRow: row, in: target))
      end = (target, row)
    } else {
      end = box(relationship.destination).map { ($0, nil) }
    }
    guard let end else { return }
    lines.append(
      ModelDiagram.Line(
        kind: .relationship,
        start: .init(
          box: start, row: startRow,
          count: end.row == nil ? nil : inverse.map { ModelDiagram.Count($0) }),
        end: .init(box: end.box, row: end.row, count: ModelDiagram.Count(relationship)),
        mark: marks.joined))
  }
}

extension DataModel {
  /// Returns the inverse of a relationship and the entity that declares the inverse. Returns nil unless the
  /// relationship is also the inverse of its inverse.
  fileprivate func partner(
    of relationship: RelationshipDescription, declaredBy entity: EntityDescription
  ) -> (RelationshipDescription, declaredBy: EntityDescription)? {
    guard let found = inverse(of: relationship), found.0.inverse == relationship.name,
      let destination = self.entity(named: found.0.destination),
      property(named: relationship.name, of: destination)?.declaredBy.name == entity.name
    else { return nil }
    return found
  }
}

extension DiagramChanges {
  /// The removed relationships, including the relationships of removed entities. The names are from the previous
  /// version.
  fileprivate var goneRelationships: Set<ModelPart> {
    let formerNames = Dictionary(entityNames.map { ($0.value, $0.key) }) { first, _ in first }
    return Set(
      removals.flatMap { removal -> [ModelPart] in
        switch removal {
        case .entity(let entity):
          entity.relationships.map { .property($0.name, of: entity.name) }
        case .relationship(let gone, of: let entity):
          formerNames[entity].map { [.property(gone.name, of: $0)] } ?? []
        case .attribute, .fetchedProperty, .composite: []
        }
      })
  }
}

extension [ChangeMark?] {
  /// The mark of a line whose relationships have these marks. If they differ, the line is marked as changed.
  fileprivate var joined: ChangeMark? {
    guard let first else { return nil }
    return allSatisfy { $0 == first } ? first : .changed
  }
}
