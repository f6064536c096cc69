import ArgumentParser
import StoreLayout
import RecordFormats
import StoreModel
import StoreModelReader
import StoreCore

/// `storetool page-model`, for the page of `browse`: the model of the store. Inherited properties are included, and a
/// composite is its elements: `address.city`.
struct PageModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-model", _superCommandName: Storetool.name,
    abstract: "Describes the model for the page of 'browse'.", shouldDisplay: false)

  @OptionGroup var options: StoreOptions
  @Flag var closest = false
  @Option var format: PageFormat?

  func run() throws {
    let store = try Workspace(options, closest: closest).openStore(having: .nothing)
    let model = store.model
    var page = FactObject()
    page.add("version", model.name)
    page.add("hash", StoreChecksum.checksum(of: store.store.metadata.hashes))
    page.add(
      "versions",
      JSONValue(.array(store.found.bundle.versions.map { JSONValue(.string($0.name)) })))
    page.add("entities", model.entities.map { Self.facts(of: $0, in: model) })
    page.add(
      "templates",
      JSONValue(
        .array(
          (model.templates + model.fetchedPropertyTemplates)
            .map { TemplateFacts.facts(of: $0, in: model) })))
    try FactWriter(.ndjson).print(.page(page.value))
  }

  private static func facts(of entity: Entity, in model: Model) -> FactObject {
    var fact = FactObject()
    fact.add("name", entity.name)
    fact.add("parent", entity.parent)
    fact.add("abstract", entity.isAbstract)
    fact.add("attributes", model.storedAttributes(of: entity).map(facts))
    fact.add("relationships", model.relationships(of: entity).map(facts))
    fact.add(
      "indexes",
      JSONValue(
        .array(
          entity.indexes.map { index in
            JSONValue(
              .array(
                index.elements.map {
                  JSONValue(.string(($0.isAscending ? "" : "-") + $0.description))
                }))
          })))
    fact.add(
      "unique",
      JSONValue(
        .array(
          entity.uniquenessConstraints.map { names in
            JSONValue(.array(names.map { JSONValue(.string($0)) }))
          })))
    return fact
  }

  private static func facts(of attribute: Attribute) -> FactObject {
    var fact = FactObject()
    fact.add("name", attribute.name)
    fact.add("path", PropertyPath.text(of: attribute.name))
    fact.add("type", attribute.type.description)
    fact.add("optional", attribute.isOptional)
    fact.add("default", attribute.defaultValue?.facts)
    fact.add("minimum", attribute.validation.minimum?.facts)
    fact.add("maximum", attribute.validation.maximum?.facts)
    fact.add("pattern", attribute.validation.pattern)
    fact.add("derived", attribute.derivation != nil)
    return fact
  }

  private static func facts(of relationship: Relationship) -> FactObject {
    var fact = FactObject()
    fact.add("name", relationship.name)
    fact.add("path", PropertyPath.text(of: relationship.name))
    fact.add("destination", relationship.destination)
    fact.add("inverse", relationship.inverse)
    fact.add("toMany", relationship.isToMany)
    fact.add("optional", relationship.isOptional)
    fact.add("deleteRule", relationship.deleteRule.rawValue)
    fact.add("transient", relationship.isTransient)
    return fact
  }
}
