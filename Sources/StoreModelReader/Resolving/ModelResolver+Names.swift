import StoreDiagnostics
import StoreModel

extension ModelResolver {
  /// Reports each name that equals an earlier name, looks like it, or differs from it only in case.
  mutating func checkNames(_ names: [PlacedName], kind: String, owner: String? = nil) {
    var firsts: [String: PlacedName] = [:]
    var spellings: [String: PlacedName] = [:]
    for name in names where !name.text.isEmpty {
      if let first = firsts[name.text] {
        if !reportTwin(name, of: first, kind: kind, owner: owner) {
          let problem = NameIssue.duplicate(
            name.text, kind: kind, owner: owner, firstLine: findings.line(of: first.spot))
          findings.report(problem, at: name.spot)
        }
        continue
      }
      firsts[name.text] = name
      if let other = spellings.updateValue(name, forKey: name.text.lowercased()),
        !reportTwin(name, of: other, kind: kind, owner: owner)
      {
        let problem = NameIssue.sameButForCase(
          name.text, other: other.text, kind: kind, owner: owner)
        findings.report(problem, at: name.spot)
      }
    }
  }

  /// Reports each part that has the same renaming identifier as an earlier part. If a part specifies no identifier, its
  /// name is used.
  mutating func checkIdentifiers(
    _ names: [(name: PlacedName, identifier: String?)], kind: String, owner: String? = nil
  ) {
    var firsts: [ExactText: PlacedName] = [:]
    for (name, identifier) in names where !name.text.isEmpty {
      let identifier = identifier ?? name.text
      guard let first = firsts.updateValue(name, forKey: ExactText(identifier)),
        first.text != name.text
      else { continue }
      let problem = NameIssue.sameIdentifier(
        name.text, other: first.text, identifier: identifier, kind: kind, owner: owner)
      findings.report(problem, at: name.spot)
    }
  }

  /// Reports `name` if it looks like `first` but has other bytes. Also compares the names in uppercase, because tables
  /// and columns have uppercase names.
  ///
  /// - Returns: Whether `name` was reported.
  private mutating func reportTwin(
    _ name: PlacedName, of first: PlacedName, kind: String, owner: String?
  ) -> Bool {
    guard !name.text.isExactly(first.text) else { return false }
    let (stored, other) = (name.text.uppercased(), first.text.uppercased())
    guard name.text == first.text || stored == other && !stored.isExactly(other) else {
      return false
    }
    let problem = NameIssue.twin(
      NameTwins(first: first.text, second: name.text), kind: kind, owner: owner,
      firstLine: findings.line(of: first.spot))
    findings.report(problem, at: name.spot)
    return true
  }

  /// Reports two properties with names that look alike if their entities share a table but don't inherit from each
  /// other. `checkPropertyNames` compares entities that inherit from each other.
  mutating func checkTwinColumns() {
    var firsts: [String: (owner: EntitySyntax, name: PlacedName)] = [:]
    for entity in syntax.entities {
      let root = (ancestors(of: entity).last ?? entity).name.text
      for name in entity.propertyNames where !name.text.isEmpty {
        let key = "\(root)/\(name.text.uppercased())"
        guard let first = firsts[key] else {
          firsts[key] = (entity, name)
          continue
        }
        if !areKin(first.owner, entity) {
          _ = reportTwin(name, of: first.name, kind: "property", owner: root)
        }
      }
    }
  }

  /// The maximum number of an entity's ancestors. Real models don't reach it: the deepest known inheritance tree has
  /// four levels.
  static let ancestorLimit = 100

  /// Returns whether all entities have at most `ancestorLimit` ancestors. If not, reports an error. This limits the
  /// time of the later checks.
  mutating func checkDepth() -> Bool {
    let tooDeep = syntax.entities.first { ancestors(of: $0).count > Self.ancestorLimit }
    guard let tooDeep, let parent = tooDeep.parent else { return true }
    findings.report(
      NameIssue.tooManyAncestors(tooDeep.name.text, limit: Self.ancestorLimit), at: parent.spot)
    return false
  }

  /// Returns the entity with a name, or reports that it doesn't exist.
  mutating func requireEntity(_ name: PlacedName, role: String) -> EntitySyntax? {
    if let entity = entities[name.text] { return entity }
    findings.report(
      NameIssue.unknownEntity(name.text, role: role, known: entityNames), at: name.spot)
    return nil
  }

  /// Reports parents that don't exist, and entities that are their own ancestors.
  mutating func checkParents() {
    var cyclic: Set<String> = []
    for entity in syntax.entities {
      guard let parent = entity.parent, requireEntity(parent, role: "parent entity") != nil
      else { continue }
      let path = [entity.name.text] + ancestors(of: entity).map(\.name.text)
      guard !cyclic.contains(entity.name.text), path.count > 1, path.first == path.last else {
        continue
      }
      cyclic.formUnion(path)
      findings.report(NameIssue.parentCycle(path), at: parent.spot)
    }
  }

  /// Returns the ancestors from the parent to the root, at most `ancestorLimit` + 1. If the entities form a cycle, the
  /// last ancestor is the first repeated entity.
  func ancestors(of entity: EntitySyntax) -> [EntitySyntax] {
    var found: [EntitySyntax] = []
    var seen: Set<String> = [entity.name.text]
    var next = entity.parent.flatMap { entities[$0.text] }
    while let parent = next, found.count <= Self.ancestorLimit {
      found.append(parent)
      guard seen.insert(parent.name.text).inserted else { break }
      next = parent.parent.flatMap { entities[$0.text] }
    }
    return found
  }

  /// Reports each property of an entity whose name equals or looks like the name of another own or inherited property.
  mutating func checkPropertyNames(of entity: EntitySyntax) {
    let own = entity.propertyNames.sorted { $0.spot.tagEnd < $1.spot.tagEnd }
    checkNames(own, kind: "property", owner: entity.name.text)
    for ancestor in ancestors(of: entity) where ancestor.name.text != entity.name.text {
      let inherited = Dictionary(ancestor.propertyNames.map { ($0.text, $0) }) { first, _ in first }
      for name in own where !name.text.isEmpty {
        guard let first = inherited[name.text],
          !reportTwin(name, of: first, kind: "property", owner: entity.name.text)
        else { continue }
        findings.report(
          NameIssue.inherited(
            name.text, entity: entity.name.text, ancestor: ancestor.name.text),
          at: name.spot)
      }
    }
  }

  /// Returns the names of the own and inherited attributes and relationships, which indexes and constraints can use.
  func knownProperties(of entity: EntitySyntax) -> [String] {
    let chain = [entity] + ancestors(of: entity)
    return Set(chain.flatMap { $0.attributes.map(\.name.text) + $0.relationships.map(\.name.text) })
      .sorted()
  }
}

extension EntitySyntax {
  var propertyNames: [PlacedName] {
    attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
  }
}

extension ModelResolver {
  mutating func check(_ relationship: RelationshipSyntax, of entity: EntitySyntax) {
    guard let name = relationship.destination,
      let destination = requireEntity(name, role: "destination entity")
    else { return }
    checkInverseEntity(of: relationship, destination: destination)
    guard let inverse = relationship.inverse else {
      findings.report(
        RelationshipIssue.noInverse("\(entity.name.text).\(relationship.name.text)"),
        at: relationship.name.spot)
      return
    }
    checkInverse(inverse, of: relationship, from: entity, to: destination)
  }

  private mutating func checkInverseEntity(
    of relationship: RelationshipSyntax, destination: EntitySyntax
  ) {
    guard let name = relationship.inverseEntity,
      requireEntity(name, role: "inverse's entity") != nil
    else { return }
    let fitting = [destination] + ancestors(of: destination)
    if !fitting.contains(where: { $0.name.text == name.text }) {
      findings.report(
        RelationshipIssue.inverseEntityUnrelated(
          name.text, destination: destination.name.text),
        at: name.spot)
    }
  }

  private mutating func checkInverse(
    _ inverse: PlacedName, of relationship: RelationshipSyntax, from entity: EntitySyntax,
    to destination: EntitySyntax
  ) {
    guard let (other, owner) = self.relationship(named: inverse.text, of: destination) else {
      reportMissing(inverse, in: destination)
      return
    }
    let name = "\(entity.name.text).\(relationship.name.text)"
    if owner.name.text == entity.name.text, other.name.text == relationship.name.text {
      findings.report(RelationshipIssue.ownInverse(name), at: inverse.spot)
    } else if other.inverse?.text != relationship.name.text
      || !(entities[other.relationship.destination].map { areKin($0, entity) } ?? false)
    {
      // A destination or an inverse that doesn't exist is reported at the other relationship.
      guard let end = entities[other.relationship.destination] else { return }
      if let back = other.inverse, self.relationship(named: back.text, of: end) == nil { return }
      let back = other.inverse.map { "\(other.relationship.destination).\($0.text)" }
      findings.report(
        RelationshipIssue.asymmetric(
          name, inverse: "\(owner.name.text).\(other.name.text)", leadsBackTo: back),
        at: inverse.spot)
    }
  }

  private mutating func reportMissing(_ inverse: PlacedName, in destination: EntitySyntax) {
    let chain = [destination] + ancestors(of: destination)
    let isAttribute = chain.contains { $0.attributes.contains { $0.name.text == inverse.text } }
    let known = chain.flatMap { $0.relationships.map(\.name.text) }.sorted()
    findings.report(
      isAttribute
        ? RelationshipIssue.inverseIsNoRelationship(
          inverse.text, destination: destination.name.text)
        : RelationshipIssue.unknownInverse(
          inverse.text, destination: destination.name.text, known: known),
      at: inverse.spot)
  }

  /// Returns the relationship with a name and the entity that declares it: `entity` or its nearest ancestor.
  private func relationship(
    named name: String, of entity: EntitySyntax
  ) -> (RelationshipSyntax, declaredBy: EntitySyntax)? {
    ([entity] + ancestors(of: entity)).lazy.compactMap { owner in
      owner.relationships.first { $0.name.text == name }.map { ($0, owner) }
    }.first
  }

  /// Returns whether both are the same entity, or one inherits from the other.
  private func areKin(_ one: EntitySyntax, _ other: EntitySyntax) -> Bool {
    ([one] + ancestors(of: one)).contains { $0.name.text == other.name.text }
      || ancestors(of: other).contains { $0.name.text == one.name.text }
  }
}
