import StoreModel

/// The differences between a model in an archive and its XML, by kind.
struct ModelDifferences {
  struct Difference: Hashable, CustomStringConvertible {
    var kind: String
    var detail: String

    var description: String { "\(kind): \(detail)" }
  }

  private(set) var found: [Difference] = []

  init(archived: DataModel, written: DataModel) {
    compare("entities", "model", archived.entities.map(\.name), written.entities.map(\.name))
    compare(
      "version identifiers", "model", archived.versionIdentifiers, written.versionIdentifiers)
    let configurations = { (model: DataModel) in
      model.configurations.map { "\($0.name): \($0.entities.sorted())" }.sorted()
    }
    compare("configurations", "model", configurations(archived), configurations(written))
    compare("composites", "model", archived.composites.count, written.composites.count)
    compare(
      "templates", "model", archived.templates.map(TemplateMeaning.init),
      written.templates.map(TemplateMeaning.init))
    for entity in archived.entities {
      if let other = written.entity(named: entity.name) { compare(entity, other) }
    }
  }

  private mutating func compare<Value: Equatable>(
    _ kind: String, _ place: String, _ archived: Value, _ written: Value
  ) {
    if archived != written {
      found.append(
        Difference(kind: kind, detail: "\(place): \(archived), in XML \(written)"))
    }
  }

  /// XML may contain a renaming identifier that equals the name. The archive is the same as without it.
  private mutating func compareRenaming(_ name: String, _ archived: String?, _ written: String?) {
    compare("renaming identifier", name, archived, written == name ? nil : written)
  }

  private mutating func compare(_ a: EntityDescription, _ b: EntityDescription) {
    compare("entity parent", a.name, a.parent, b.parent)
    compare("entity isAbstract", a.name, a.isAbstract, b.isAbstract)
    compare("entity class", a.name, a.className, b.className)
    compareRenaming(a.name, a.renamingIdentifier, b.renamingIdentifier)
    compare("hash modifier", a.name, a.versionHashModifier, b.versionHashModifier)
    compare("user info", a.name, a.userInfo, b.userInfo)
    compare(
      "constraints", a.name, a.uniquenessConstraints.map(\.description).sorted(),
      b.uniquenessConstraints.map(\.description).sorted())
    let indexes = { (entity: EntityDescription) in entity.indexes.map { "\($0)" }.sorted() }
    compare("indexes", a.name, indexes(a), indexes(b))
    compare("properties", a.name, a.attributes.map(\.name), b.attributes.map(\.name))
    compare("properties", a.name, a.relationships.map(\.name), b.relationships.map(\.name))
    compare(
      "properties", a.name, a.fetchedProperties.map(\.name), b.fetchedProperties.map(\.name))
    for (a, b) in zip(a.attributes, b.attributes) where a.name == b.name { compare(a, b) }
    for (a, b) in zip(a.relationships, b.relationships) where a.name == b.name { compare(a, b) }
    for (a, b) in zip(a.fetchedProperties, b.fetchedProperties) where a.name == b.name {
      compare("fetched property", a.name, TemplateMeaning(a.request), TemplateMeaning(b.request))
      compare("user info", a.name, a.userInfo, b.userInfo)
    }
  }

  private mutating func compare(_ a: AttributeDescription, _ b: AttributeDescription) {
    compare("attribute type", a.name, a.type.name, b.type.name)
    compare("attribute isOptional", a.name, a.isOptional, b.isOptional)
    compare("attribute isTransient", a.name, a.isTransient, b.isTransient)
    compare("default value of \(a.type.name)", a.name, a.defaultValue, b.defaultValue)
    compare("validation", a.name, a.validation, b.validation)
    compare("attribute isIndexed", a.name, a.isIndexed, b.isIndexed)
    compare("external storage", a.name, a.allowsExternalStorage, b.allowsExternalStorage)
    compare("preserved", a.name, a.isPreservedAfterDeletion, b.isPreservedAfterDeletion)
    compare("cloud encryption", a.name, a.allowsCloudEncryption, b.allowsCloudEncryption)
    compare("spotlight", a.name, a.isIndexedBySpotlight, b.isIndexedBySpotlight)
    compare("value transformer", a.name, a.valueTransformer, b.valueTransformer)
    compare("attribute class", a.name, a.customClassName, b.customClassName)
    compare("derivation", a.name, a.derivation, b.derivation)
    compareRenaming(a.name, a.renamingIdentifier, b.renamingIdentifier)
    compare("hash modifier", a.name, a.versionHashModifier, b.versionHashModifier)
    compare("user info", a.name, a.userInfo, b.userInfo)
  }

  private mutating func compare(_ a: RelationshipDescription, _ b: RelationshipDescription) {
    compare("relationship destination", a.name, a.destination, b.destination)
    compare("relationship inverse", a.name, a.inverse, b.inverse)
    compare("relationship cardinality", a.name, a.cardinality, b.cardinality)
    compare("relationship isOptional", a.name, a.isOptional, b.isOptional)
    compare("relationship isTransient", a.name, a.isTransient, b.isTransient)
    compare("relationship minimum", a.name, a.minimumCount ?? 0, b.minimumCount ?? 0)
    let usual = a.isToMany ? 0 : 1
    compare("relationship maximum", a.name, a.maximumCount ?? usual, b.maximumCount ?? usual)
    compare("relationship order of one", a.name, a.isOrderedToOne, b.isOrderedToOne)
    compare("relationship delete rule", a.name, a.deleteRule, b.deleteRule)
    compare("relationship isIndexed", a.name, a.isIndexed, b.isIndexed)
    compareRenaming(a.name, a.renamingIdentifier, b.renamingIdentifier)
    compare("hash modifier", a.name, a.versionHashModifier, b.versionHashModifier)
    compare("user info", a.name, a.userInfo, b.userInfo)
  }
}

/// A template without the text of its predicate, which may be spelt in many ways.
private struct TemplateMeaning: Equatable {
  var template: FetchRequestTemplate

  init(_ template: FetchRequestTemplate) {
    self.template = template
    self.template.predicateText = nil
  }

  static func == (a: TemplateMeaning, b: TemplateMeaning) -> Bool { a.template == b.template }
}
