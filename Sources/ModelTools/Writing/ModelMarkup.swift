import StoreModel

/// Makes the elements of a model, each with the attributes that Xcode writes and in its order.
///
/// What every file has but no `Model` knows is as in a file that Xcode has just made.
struct ModelMarkup {
  let model: Model
  let comments: [ModelPart: String]

  func root(note: String?) -> Markup {
    var root = Markup("model")
    root.add("type", "com.apple.IDECoreDataModeler.DataModel")
    root.add("documentVersion", "1.0")
    root.add("lastSavedToolsVersion", "1")
    root.add("systemVersion", "11A491")
    root.add("minimumToolsVersion", "Automatic")
    root.add("sourceLanguage", "Swift")
    root.add(
      "userDefinedModelVersionIdentifier", model.versionIdentifiers.joined(separator: ","))
    root.note = note
    root.isAlwaysClosed = true
    root.children =
      inOrder(model.entities, of: \.name).map(element(of:))
      + inOrder(model.templates, of: \.name).map(element(ofTemplate:))
      + model.configurations.map(element(of:)) + model.composites.map(element(of:))
    return root
  }

  private func element(of entity: Entity) -> Markup {
    var element = element("entity", for: .entity(entity.name))
    element.add("name", entity.name)
    element.add("representedClassName", entity.className)
    element.add("isAbstract", ifSo: entity.isAbstract)
    element.add("parentEntity", entity.parent)
    element.add("elementID", entity.renamingIdentifier)
    element.add("versionHashModifier", entity.versionHashModifier)
    element.add("syncable", "YES")
    element.add("codeGenerationType", entity.codeGeneration)
    element.children =
      inOrder(entity.attributes, of: \.name).map { self.element(of: $0, in: entity) }
      + inOrder(entity.relationships, of: \.name).map { self.element(of: $0, in: entity) }
      + inOrder(entity.fetchedProperties, of: \.name).map { self.element(of: $0, in: entity) }
      + indexElements(of: entity) + constraintElements(of: entity)
      + userInfoElements(of: entity.userInfo)
    return element
  }

  private func element(of configuration: Configuration) -> Markup {
    var element = element("configuration", for: .configuration(configuration.name))
    element.add("name", configuration.name)
    element.children = configuration.entities.map { entity in
      var member = Markup("memberEntity")
      member.add("name", entity)
      return member
    }
    return element
  }

  private func element(of composite: Composite) -> Markup {
    var element = element("composite", for: .composite(composite.name))
    element.add("name", composite.name)
    element.children = composite.attributes.map { self.element(of: $0) }
    return element
  }

  /// Xcode sorts names as the Finder does: `id` before `ID2`, `item2` before `item10`.
  private func inOrder<Part>(_ parts: [Part], of name: (Part) -> String) -> [Part] {
    parts.sorted { NaturalOrder.isLess(name($0), name($1)) }
  }

  /// An element with the comment of its part.
  func element(_ name: String, for part: ModelPart) -> Markup {
    var element = Markup(name)
    element.comment = comments[part]
    return element
  }

  /// One element or none.
  func userInfoElements(of userInfo: [String: String]) -> [Markup] {
    guard !userInfo.isEmpty else { return [] }
    var element = Markup("userInfo")
    element.children = userInfo.sorted { $0.key < $1.key }.map { key, value in
      var entry = Markup("entry")
      entry.add("key", key)
      entry.add("value", value)
      return entry
    }
    return [element]
  }
}
