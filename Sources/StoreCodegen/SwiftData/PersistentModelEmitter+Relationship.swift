import StoreDiagnostics
import StoreModel

extension PersistentModelEmitter {
  mutating func property(_ relationship: RelationshipDescription, of entity: EntityDescription)
    -> StoredProperty?
  {
    let part = ModelPart.property(relationship.name, of: entity.name)
    let subject = "'\(entity.name).\(relationship.name)'"
    guard !relationship.isTransient else {
      report(
        "\(subject) is omitted, because SwiftData doesn't support transient relationships", at: part
      )
      return nil
    }
    let name = names.member(relationship.name, of: entity.name)
    if name != relationship.name { reportName(name, subject, at: part) }
    if relationship.isOrdered {
      report(
        "SwiftData doesn't support ordered relationships, so \(subject) is unordered", at: part)
    }
    let destination = names.type(of: relationship.destination)
    let isOptional = isOptional(relationship, of: entity)
    let type = relationship.isToMany ? "[\(destination)]" : destination
    let nothing: SwiftCode? = relationship.isToMany ? "[]" : isOptional ? "nil" : nil
    return StoredProperty(
      macro: macro(for: relationship, named: name, of: entity, subject, at: part),
      comment: relationship.userInfo.comment, name: name, type: type + (isOptional ? "?" : ""),
      initial: relationship.isToMany ? "[]" : nil, assumed: nothing)
  }

  /// Returns whether the relationship is optional in the class. A required to-one relationship becomes optional if its
  /// inverse is also a required to-one relationship, or if its destination is the entity or an ancestor. Otherwise, the
  /// first object could never be created.
  func isOptional(_ relationship: RelationshipDescription, of entity: EntityDescription) -> Bool {
    guard !relationship.isOptional else { return true }
    guard !relationship.isToMany else { return false }
    if let (inverse, _) = model.inverse(of: relationship), !inverse.isToMany, !inverse.isOptional {
      return true
    }
    return model.entity(named: relationship.destination).map { model.isKind(entity, of: $0) }
      ?? false
  }

  private mutating func macro(
    for relationship: RelationshipDescription, named name: String, of entity: EntityDescription,
    _ subject: String,
    at part: ModelPart
  ) -> SwiftCode? {
    var arguments: [SwiftCode] = []
    switch relationship.deleteRule {
    case .nullify: break
    case .cascade: arguments.append("deleteRule: .cascade")
    case .deny: arguments.append("deleteRule: .deny")
    case .noAction: arguments.append("deleteRule: .noAction")
    }
    if relationship.isToMany {
      if let count = relationship.minimumCount, count > 0 {
        arguments.append("minimumModelCount: \(count)")
      }
      if let count = relationship.maximumCount, count > 0 {
        arguments.append("maximumModelCount: \(count)")
      }
    }
    let old = relationship.renamingIdentifier ?? relationship.name
    let identity = Self.identity(old: old, name, relationship.versionHashModifier)
    arguments += identity.filter { $0.flat.hasPrefix("originalName") }
    if let inverse = statedInverse(of: relationship, entity, subject, at: part) {
      arguments.append("inverse: \(inverse)")
    }
    arguments += identity.filter { !$0.flat.hasPrefix("originalName") }
    return arguments.isEmpty ? nil : .call("@Relationship", arguments)
  }

  /// Returns the key path of the inverse, such as `\Item.list`, or nil if this relationship's macro can't specify it.
  /// Only one of two inverse relationships specifies the other, because otherwise their macros would depend on each
  /// other. It is the to-many relationship or, if both have the same cardinality, the first by entity and name.
  private mutating func statedInverse(
    of relationship: RelationshipDescription, _ entity: EntityDescription, _ subject: String,
    at part: ModelPart
  ) -> String? {
    guard let (inverse, owner) = model.inverse(of: relationship), !inverse.isTransient else {
      return nil
    }
    if owner.name == entity.name, inverse.name == relationship.name {
      report(
        "SwiftData doesn't support a relationship that is its own inverse, such as \(subject)",
        at: part)
      return nil
    }
    guard let back = model.inverse(of: inverse), back.declaredBy.name == entity.name,
      back.0.name == relationship.name
    else {
      report(
        """
        \(subject) has no inverse in SwiftData: '\(owner.name).\(inverse.name)' is the inverse of another \
        relationship
        """, at: part)
      return nil
    }
    let isStated =
      relationship.isToMany == inverse.isToMany
      ? (entity.name, relationship.name) < (owner.name, inverse.name) : relationship.isToMany
    guard isStated else { return nil }
    let member = names.member(inverse.name, of: owner.name)
    return "\\\(names.type(of: owner.name)).\(member)"
  }
}
