import StoreModel

extension ManagedObjectEmitter {
  /// The methods by which members of a to-many relationship come and go one by one.
  mutating func emitAccessors(of entity: Entity, into out: inout SwiftWriter) {
    let properties = Set(
      model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name))
    var taken: Set<String> = []
    for relationship in entity.relationships where relationship.isToMany {
      guard names.member(relationship.name, of: entity.name) == relationship.name else { continue }
      let key = SwiftName.capitalized(relationship.name)
      let methods = Self.verbs(isOrdered: relationship.isOrdered).map { $0 + key }
      // The selectors of both would be the same.
      guard taken.insert(key).inserted, properties.isDisjoint(with: methods) else {
        report(
          """
          '\(entity.name).\(relationship.name)' gets no methods to add and remove members: \
          another property has their names
          """, at: .property(relationship.name, of: entity.name))
        continue
      }
      out.gap()
      out.block("extension \(names.type(of: entity.name))") { out in
        for accessor in accessors(of: relationship, key) {
          out.gap()
          out.line("@objc(\(accessor.selector))")
          out.line("@NSManaged \(open)func \(accessor.signature)")
        }
      }
    }
  }

  private static func verbs(isOrdered: Bool) -> [String] {
    ["addTo", "removeFrom"] + (isOrdered ? ["insertInto", "replace"] : [])
  }

  private typealias Accessor = (selector: String, signature: String)

  private func accessors(of relationship: Relationship, _ key: String) -> [Accessor] {
    let member = type(of: relationship.destination)
    let several =
      relationship.isOrdered
      ? types.foundation("NSOrderedSet") : "\(types.swift("Set"))<\(member)>"
    let either: [Accessor] = [
      ("add\(key)Object:", "addTo\(key)(_ value: \(member))"),
      ("remove\(key)Object:", "removeFrom\(key)(_ value: \(member))"),
      ("add\(key):", "addTo\(key)(_ values: \(several))"),
      ("remove\(key):", "removeFrom\(key)(_ values: \(several))"),
    ]
    guard relationship.isOrdered else { return either }
    let (int, indexes) = (types.swift("Int"), types.foundation("NSIndexSet"))
    let ordered: [Accessor] = [
      (
        "insertObject:in\(key)AtIndex:",
        "insertInto\(key)(_ value: \(member), at index: \(int))"
      ),
      ("removeObjectFrom\(key)AtIndex:", "removeFrom\(key)(at index: \(int))"),
      (
        "insert\(key):atIndexes:",
        "insertInto\(key)(_ values: [\(member)], at indexes: \(indexes))"
      ),
      ("remove\(key)AtIndexes:", "removeFrom\(key)(at indexes: \(indexes))"),
      (
        "replaceObjectIn\(key)AtIndex:withObject:",
        "replace\(key)(at index: \(int), with value: \(member))"
      ),
      (
        "replace\(key)AtIndexes:with\(key):",
        "replace\(key)(at indexes: \(indexes), with values: [\(member)])"
      ),
    ]
    return ordered + either
  }

  /// One for the class at the root of its tree: the others inherit it.
  func emitIdentity(of entity: Entity, into out: inout SwiftWriter) {
    guard classes.parent(of: entity) == nil else { return }
    // A member `id` takes the place of the object's identity, if it can be hashed.
    let id = entity.attributes.first { $0.name == "id" }
    if case .composite? = id?.type { return }
    if id?.type == .transformable || entity.relationships.contains(where: { $0.name == "id" }) {
      return
    }
    out.gap()
    out.line("extension \(names.type(of: entity.name)): \(types.swift("Identifiable")) {}")
  }
}
