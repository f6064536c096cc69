import ArgumentParser
import ModelTools
import RecordFormats
import StoreCore
import StoreLayout
import StoreModel
import StoreModelReader

/// `storetool page-model`, for the page of `browse`: prints the model of the store. Inherited properties are included.
/// A composite attribute is listed as its elements, such as `address.city`.
struct PageModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-model", _superCommandName: Storetool.name,
    abstract: "Describe the model for the page of 'browse'.", shouldDisplay: false)

  @OptionGroup var options: StoreOptions
  @Flag var closest = false
  @Option var format: PageFormat?

  func run() throws {
    let store = try Workspace(options, closest: closest).openStore()
    try FactWriter(.ndjson).print(.page(Page(store)))
  }

  private struct Page: Encodable {
    let version, hash: String
    let versions: [String]
    let entities: [EntityFacts]
    let templates: [TemplateFacts]

    init(_ store: OpenStore) {
      let model = store.model
      version = model.name
      hash = StoreChecksum.checksum(of: store.store.metadata.hashes)
      versions = store.found.bundle.versions.map(\.name)
      entities = model.entities.map { EntityFacts($0, in: model) }
      templates = (model.templates + model.fetchedPropertyTemplates)
        .map { TemplateFacts($0, in: model) }
    }
  }

  private struct EntityFacts: Encodable {
    let name: String
    let parent: String?
    let abstract: Bool
    let attributes: [AttributeFacts]
    let relationships: [RelationshipFacts]
    let indexes, unique: [[String]]

    init(_ entity: EntityDescription, in model: DataModel) {
      (name, parent, abstract) = (entity.name, entity.parent, entity.isAbstract)
      attributes = model.storedAttributes(of: entity).map {
        AttributeFacts(
          name: $0.name, path: PropertyPath.text(of: $0.name), type: $0.type.description,
          optional: $0.isOptional, default: $0.defaultValue?.facts,
          minimum: $0.validation.minimum?.facts, maximum: $0.validation.maximum?.facts,
          pattern: $0.validation.pattern, derived: $0.derivation != nil)
      }
      relationships = model.relationships(of: entity).map {
        RelationshipFacts(
          name: $0.name, path: PropertyPath.text(of: $0.name), destination: $0.destination,
          inverse: $0.inverse, toMany: $0.isToMany, optional: $0.isOptional,
          deleteRule: $0.deleteRule.rawValue, transient: $0.isTransient)
      }
      indexes = entity.indexes.map { index in
        index.elements.map { ($0.isAscending ? "" : "-") + $0.description }
      }
      unique = entity.uniquenessConstraints
    }
  }

  private struct AttributeFacts: Encodable {
    let name, path, type: String
    let optional: Bool
    let `default`, minimum, maximum: JSONValue?
    let pattern: String?
    let derived: Bool
  }

  private struct RelationshipFacts: Encodable {
    let name, path, destination: String
    let inverse: String?
    let toMany, optional: Bool
    let deleteRule: String
    let transient: Bool
  }
}

/// `storetool page-diagram`, for the page of `browse`: prints the diagram of the model as SVG in a JSON string.
struct PageDiagramCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-diagram", _superCommandName: Storetool.name,
    abstract: "Draw the model for the page of 'browse'.", shouldDisplay: false)

  @OptionGroup var options: StoreOptions
  @Flag var closest = false
  @Option var format: PageFormat?

  func run() throws {
    let found = try Workspace(options, closest: closest).openStore().found
    let svg = PlacedDiagram(
      ModelDiagram(of: found.model), title: found.model.name, frames: found.reading.frames
    ).text
    var out = ByteBuffer()
    out.append(json: svg)
    out.append("\n")
    try OutputFile.standard.write(out.bytes)
  }
}
