import StoreModel

/// Which entity's declaration is the class of whose objects: several may share one.
struct ObjectClasses: Hashable, Sendable {
  private let owners: [String: String]
  private let model: Model

  init(of model: Model) {
    self.model = model
    var owners: [String: String] = [:]
    var declared: [String: String] = [:]
    // A parent before its children: the class is the parent's.
    let roots = model.entities.filter { $0.parent == nil }
    for entity in roots.flatMap(model.subtree(of:)) {
      let objectClass = ObjectClass(of: entity)
      guard objectClass.source != .none else { continue }
      let owner = declared[objectClass.name] ?? entity.name
      declared[objectClass.name] = owner
      owners[entity.name] = owner
    }
    self.owners = owners
  }

  /// The entity whose declaration is the class of this one's objects; nil for `NSManagedObject`.
  func owner(of entity: String) -> String? { owners[entity] }

  /// The same of the class that its class inherits from.
  func parent(of entity: Entity) -> String? {
    let own = owner(of: entity.name)
    return model.ancestors(of: entity).lazy.compactMap { owner(of: $0.name) }.first { $0 != own }
  }
}
