import StoreModel

/// Hashes the entities of one model; a parent's hash is part of its children's.
struct EntityHasher {
  let model: Model
  private var finished: [String: [UInt8]] = [:]

  init(model: Model) {
    self.model = model
  }

  /// entity = SHA256( name ‖ isAbstract ‖ parent? ‖ properties ‖ modifier? ‖ constraints )
  mutating func hash(of entity: Entity) -> [UInt8] {
    if let hash = finished[entity.name] { return hash }
    var input = HashInput()
    input.append(entity.name)
    input.append(UInt8(entity.isAbstract ? 1 : 0))
    if let parent = entity.parent.flatMap(model.entity(named:)) { input.append(hash(of: parent)) }
    for property in storedProperties(of: entity) { input.append(property.hash) }
    if let modifier = entity.versionHashModifier { input.append(modifier) }
    let constraints = entity.uniquenessConstraints.map { $0.joined(separator: ".") }
    for constraint in constraints.sorted(by: HashInput.isInOrder) { input.append(constraint) }
    let hash = input.sha256
    finished[entity.name] = hash
    return hash
  }

  /// Attributes and relationships by name, inherited ones included, transient ones left out.
  private func storedProperties(of entity: Entity) -> [(name: String, hash: [UInt8])] {
    let owners = [entity] + model.ancestors(of: entity)
    let attributes = owners.flatMap(\.attributes).filter { !$0.isTransient }
      .map { ($0.name, PropertyHash.of($0)) }
    let relationships = owners.flatMap { owner in
      owner.relationships.filter { !$0.isTransient }.map {
        ($0.name, PropertyHash.of($0, inverse: hashedInverse(of: $0, declaredBy: owner)))
      }
    }
    return (attributes + relationships).sorted { HashInput.isInOrder($0.0, $1.0) }
  }

  /// A relationship that is its own inverse counts as one without.
  private func hashedInverse(of relationship: Relationship, declaredBy owner: Entity) -> String? {
    isOwnInverse(relationship, declaredBy: owner) ? nil : relationship.inverse
  }

  func isOwnInverse(_ relationship: Relationship, declaredBy owner: Entity) -> Bool {
    guard relationship.inverse == relationship.name else { return false }
    return model.inverse(of: relationship)?.declaredBy.name == owner.name
  }
}
