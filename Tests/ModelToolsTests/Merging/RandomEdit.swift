import SeededRandom
import StoreModel
import StorePredicate

/// A change of a model, with the paths that it affects.
struct RandomEdit: Sendable {
  var name: String
  /// Paths such as "Person/age/default". Two edits overlap if a path of one begins with a path of the other.
  var touched: Set<String>
  /// Paths that must continue to exist.
  var needed: Set<String> = []
  var apply: @Sendable (inout DraftModel) -> Void

  func overlaps(_ other: RandomEdit) -> Bool {
    func meets(_ one: Set<String>, _ two: Set<String>) -> Bool {
      one.contains { path in two.contains { $0 == path || $0.hasPrefix(path + "/") } }
    }
    return meets(touched, other.touched) || meets(other.touched, touched)
      || meets(touched, other.needed) || meets(other.touched, needed)
  }
}

extension RandomEdit {
  /// - Parameter mark: a part of new names and values, so that two edits don't create the same ones.
  static func draw(
    _ base: DraftModel, _ random: inout SeededGenerator, mark: String
  ) -> RandomEdit {
    let entity = random.pick(base.entities)
    let attribute = random.pick(entity.attributes)
    let number = random.below(100)
    switch random.below(16) {
    case 0: return addAttribute(entity, "\(random.pick(["a", "k", "Z"]))\(mark)\(number)", number)
    case 1: return removeAttribute(entity, attribute, base)
    case 2: return setDefault(entity, attribute, 1000 + number)
    case 3: return toggleOptional(entity, attribute)
    case 4: return rename(entity, attribute, "\(random.pick(["b", "y"]))\(mark)\(number)")
    case 5: return addEntity("\(random.pick(["Box", "zoo"]))\(mark)\(number)")
    case 6: return removeEntity(entity, base)
    case 7: return rename(entity, "\(random.pick(["Cup", "Yard"]))\(mark)\(number)")
    case 8: return connect(entity, random.pick(base.entities), "\(mark)\(number)")
    case 9:
      guard let relationship = entity.relationships.first else { break }
      return setDeleteRule(entity, relationship)
    case 10: return setUserInfo(entity, "\(random.pick(["key", "k\(mark)"]))", "v\(mark)\(number)")
    case 11: return addIndex(entity, attribute, "by\(mark)\(number)")
    case 12: return addConstraint(entity, attribute)
    case 13: return addTemplate(entity, "find\(mark)\(number)")
    case 14: return setClass(entity, "Class\(mark)\(number)")
    default: break
    }
    return setModifier(entity, attribute, "m\(mark)\(number)")
  }

  static func addAttribute(_ entity: EntityDescription, _ name: String, _ value: Int) -> RandomEdit
  {
    RandomEdit(
      name: "add \(entity.name).\(name)", touched: ["\(entity.name)/\(name)"],
      needed: [entity.name]
    ) { draft in
      draft.edit(entity.name) { entity, _ in
        entity.attributes.append(
          AttributeDescription(name: name, type: .integer64, defaultValue: .integer(Int64(value))))
      }
    }
  }

  /// Removes an attribute if no index or constraint uses it. Otherwise changes its hash modifier.
  static func removeAttribute(
    _ entity: EntityDescription, _ attribute: AttributeDescription, _ base: DraftModel
  ) -> RandomEdit {
    let isUsed =
      entity.uniquenessConstraints.contains { $0.contains(attribute.name) }
      || entity.indexes.contains { $0.elements.contains { $0.target == .property(attribute.name) } }
    guard !isUsed, entity.attributes.count > 1 else {
      return setModifier(entity, attribute, "kept")
    }
    return RandomEdit(
      name: "remove \(entity.name).\(attribute.name)",
      touched: ["\(entity.name)/\(attribute.name)"], needed: [entity.name]
    ) { draft in
      draft.edit(entity.name) { entity, draft in
        let name = draft.name("\(entity.name).\(attribute.name)")
        entity.attributes.removeAll { $0.name == name || $0.name == attribute.name }
      }
    }
  }

  static func setDefault(
    _ entity: EntityDescription, _ attribute: AttributeDescription, _ value: Int
  ) -> RandomEdit {
    changing(entity, attribute, "default", "= \(value)") {
      $0.defaultValue = .integer(Int64(value))
    }
  }

  static func setModifier(
    _ entity: EntityDescription, _ attribute: AttributeDescription, _ text: String
  ) -> RandomEdit {
    changing(entity, attribute, "modifier", text) { $0.versionHashModifier = text }
  }

  static func toggleOptional(_ entity: EntityDescription, _ attribute: AttributeDescription)
    -> RandomEdit
  {
    changing(entity, attribute, "optional", "optional") { $0.isOptional = !attribute.isOptional }
  }

  private static func changing(
    _ entity: EntityDescription, _ attribute: AttributeDescription, _ part: String, _ name: String,
    _ change: @escaping @Sendable (inout AttributeDescription) -> Void
  ) -> RandomEdit {
    let path = "\(entity.name).\(attribute.name)"
    return RandomEdit(
      name: "\(path) \(name)", touched: ["\(entity.name)/\(attribute.name)/\(part)"],
      needed: [entity.name, "\(entity.name)/\(attribute.name)"]
    ) { $0.edit(entity.name, attribute: path, change) }
  }

  static func rename(_ entity: EntityDescription, _ attribute: AttributeDescription, _ new: String)
    -> RandomEdit
  {
    let path = "\(entity.name).\(attribute.name)"
    return RandomEdit(
      name: "rename \(path) to \(new)", touched: ["\(entity.name)/\(attribute.name)/name"],
      needed: [entity.name, "\(entity.name)/\(attribute.name)"]
    ) { draft in
      draft.edit(entity.name, attribute: path) {
        $0.name = new
        $0.renamingIdentifier = attribute.name
      }
      draft.edit(entity.name) { entity, _ in entity.replace(attribute.name, with: new) }
      draft.renamed[path] = new
    }
  }

  static func addEntity(_ name: String) -> RandomEdit {
    RandomEdit(name: "add \(name)", touched: [name]) { draft in
      draft.entities.append(
        EntityDescription(
          name: name, className: name,
          attributes: [AttributeDescription(name: "id", type: .integer64, isOptional: true)]))
    }
  }

  /// Removes an entity if no relationship, template or configuration uses it. Otherwise changes its class.
  static func removeEntity(_ entity: EntityDescription, _ base: DraftModel) -> RandomEdit {
    let isUsed =
      !entity.relationships.isEmpty || base.templates.contains { $0.entity == entity.name }
      || base.configurations.contains { $0.entities.contains(entity.name) }
    guard !isUsed, base.entities.count > 1 else {
      return setClass(entity, "Kept")
    }
    return RandomEdit(name: "remove \(entity.name)", touched: [entity.name]) { draft in
      let name = draft.name(entity.name)
      draft.entities.removeAll { $0.name == name }
    }
  }

  static func rename(_ entity: EntityDescription, _ new: String) -> RandomEdit {
    RandomEdit(
      name: "rename \(entity.name) to \(new)", touched: ["\(entity.name)/:name"],
      needed: [entity.name]
    ) { draft in
      draft.edit(entity.name) { copy, _ in
        copy.name = new
        copy.renamingIdentifier = entity.name
      }
      draft.replace(entity.name, with: new)
      draft.renamed[entity.name] = new
    }
  }

  static func connect(_ entity: EntityDescription, _ other: EntityDescription, _ mark: String)
    -> RandomEdit
  {
    let names = ("r\(mark)", "s\(mark)")
    return RandomEdit(
      name: "connect \(entity.name) and \(other.name) \(mark)",
      touched: ["\(entity.name)/\(names.0)", "\(other.name)/\(names.1)"],
      needed: [entity.name, other.name]
    ) { $0.connect(entity.name, names.0, other.name, names.1) }
  }

  static func setDeleteRule(
    _ entity: EntityDescription, _ relationship: RelationshipDescription,
    _ rule: RelationshipDescription.DeleteRule = .deny
  ) -> RandomEdit {
    RandomEdit(
      name: "\(entity.name).\(relationship.name) \(rule)",
      touched: ["\(entity.name)/\(relationship.name)/rule"], needed: [entity.name]
    ) { draft in
      draft.edit(entity.name, relationship: relationship.name) { $0.deleteRule = rule }
    }
  }

  static func setUserInfo(_ entity: EntityDescription, _ key: String, _ value: String) -> RandomEdit
  {
    RandomEdit(
      name: "\(entity.name) #\(key) \(value)", touched: ["\(entity.name)/#\(key)"],
      needed: [entity.name]
    ) { draft in draft.edit(entity.name) { entity, _ in entity.userInfo[key] = value } }
  }

  static func addIndex(
    _ entity: EntityDescription, _ attribute: AttributeDescription, _ name: String
  ) -> RandomEdit {
    let path = "\(entity.name).\(attribute.name)"
    return RandomEdit(
      name: "index \(path)", touched: ["\(entity.name)/[\(name)"],
      needed: [entity.name, "\(entity.name)/\(attribute.name)"]
    ) { draft in
      draft.edit(entity.name) { entity, draft in
        entity.indexes.append(
          FetchIndex(
            name: name, elements: [.init(.property(draft.name(path)))], origin: .fetchIndex))
      }
    }
  }

  static func addConstraint(_ entity: EntityDescription, _ attribute: AttributeDescription)
    -> RandomEdit
  {
    let path = "\(entity.name).\(attribute.name)"
    return RandomEdit(
      name: "constrain \(path)", touched: ["\(entity.name)/!\(attribute.name)"],
      needed: [entity.name, "\(entity.name)/\(attribute.name)"]
    ) { draft in
      draft.edit(entity.name) { entity, draft in
        let constraint = [draft.name(path)]
        guard !entity.uniquenessConstraints.contains(constraint) else { return }
        entity.uniquenessConstraints.append(constraint)
      }
    }
  }

  static func addTemplate(_ entity: EntityDescription, _ name: String) -> RandomEdit {
    RandomEdit(name: "template \(name)", touched: ["$\(name)"], needed: [entity.name]) { draft in
      draft.templates.append(FetchRequestTemplate(name: name, entity: draft.name(entity.name)))
    }
  }

  static func setClass(_ entity: EntityDescription, _ name: String) -> RandomEdit {
    RandomEdit(
      name: "\(entity.name) class \(name)", touched: ["\(entity.name)/:class"],
      needed: [entity.name]
    ) { draft in draft.edit(entity.name) { entity, _ in entity.className = name } }
  }
}

extension EntityDescription {
  fileprivate mutating func replace(_ old: String, with new: String) {
    uniquenessConstraints = uniquenessConstraints.map { $0.map { $0 == old ? new : $0 } }
    for index in indexes.indices {
      for part in indexes[index].elements.indices
      where indexes[index].elements[part].target == .property(old) {
        indexes[index].elements[part].target = .property(new)
      }
    }
  }
}

extension DraftModel {
  fileprivate mutating func replace(_ old: String, with new: String) {
    for entity in entities.indices {
      for index in entities[entity].relationships.indices
      where entities[entity].relationships[index].destination == old {
        entities[entity].relationships[index].destination = new
      }
    }
    for index in templates.indices where templates[index].entity == old {
      templates[index].entity = new
    }
    for index in configurations.indices {
      configurations[index].entities = configurations[index].entities.map {
        $0 == old ? new : $0
      }
    }
  }
}
