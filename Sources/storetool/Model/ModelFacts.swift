import RecordFormats
import StoreModel
import StoreModelReader
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The output of `model show`. The lists are flat, and each record contains its entity, so that tables, grep and jq can
/// read them. A property is listed with the entity that declares it.
struct ModelFacts: Encodable {
  let model, version: String
  let identifiers: [String]
  let entities: [EntityFacts]
  let attributes: [AttributeFacts]
  let relationships: [RelationshipFacts]
  let fetchedProperties: [FetchedPropertyFacts]
  let indexes: [IndexFacts]
  let constraints: [ConstraintFacts]
  let composites: [AttributeFacts]
  let configurations: [ConfigurationFacts]
  let templates: [TemplateFacts]

  init(of found: FoundModel) {
    let model = found.model
    (self.model, version) = (found.bundle.name, found.version.name)
    identifiers = model.versionIdentifiers
    entities = model.entities.map {
      EntityFacts(
        name: $0.name, parent: $0.parent, abstract: $0.isAbstract, class: $0.className,
        codeGeneration: $0.codeGeneration, renamingIdentifier: $0.renamingIdentifier,
        versionHashModifier: $0.versionHashModifier, userInfo: $0.userInfo.unlessEmpty)
    }
    attributes = model.entities.flatMap { entity in
      entity.attributes.map { AttributeFacts($0, of: entity.name) }
    }
    relationships = model.entities.flatMap { entity in
      entity.relationships.map {
        RelationshipFacts(
          entity: entity.name, name: $0.name, destination: $0.destination, inverse: $0.inverse,
          cardinality: $0.cardinality.name, optional: $0.isOptional, minimum: $0.minimumCount,
          maximum: $0.maximumCount, deleteRule: $0.deleteRule.rawValue, transient: $0.isTransient,
          renamingIdentifier: $0.renamingIdentifier, versionHashModifier: $0.versionHashModifier,
          userInfo: $0.userInfo.unlessEmpty)
      }
    }
    fetchedProperties = model.entities.flatMap { entity in
      entity.fetchedProperties.map {
        FetchedPropertyFacts(
          entity: entity.name, name: $0.name, destination: $0.request.entity,
          predicate: $0.request.predicateText?.text)
      }
    }
    indexes = model.entities.flatMap { entity in
      entity.indexes.map {
        IndexFacts(
          entity: entity.name, name: $0.name.isEmpty ? nil : $0.name,
          elements: $0.elements.map(\.description), where: $0.partialPredicate)
      }
    }
    constraints = model.entities.flatMap { entity in
      entity.uniquenessConstraints.map { ConstraintFacts(entity: entity.name, properties: $0) }
    }
    composites = model.composites.flatMap { composite in
      composite.attributes.map { AttributeFacts($0, of: composite.name) }
    }
    configurations = model.configurations.map {
      ConfigurationFacts(name: $0.name, entities: $0.entities)
    }
    templates = model.templates.map { TemplateFacts($0, in: model) }
  }

  struct EntityFacts: Encodable {
    let name: String
    let parent: String?
    let abstract: Bool
    let `class`, codeGeneration, renamingIdentifier, versionHashModifier: String?
    let userInfo: [String: String]?
  }

  struct AttributeFacts: Encodable {
    let entity, name, type: String
    let optional: Bool
    let `default`, minimum, maximum: JSONValue?
    let pattern, derivation: String?
    let flags: [String]
    let transformer, `class`, renamingIdentifier, versionHashModifier: String?
    let userInfo: [String: String]?
  }

  struct RelationshipFacts: Encodable {
    let entity, name, destination: String
    let inverse: String?
    let cardinality: String
    let optional: Bool
    let minimum, maximum: Int?
    let deleteRule: String
    let transient: Bool
    let renamingIdentifier, versionHashModifier: String?
    let userInfo: [String: String]?
  }

  struct FetchedPropertyFacts: Encodable {
    let entity, name, destination: String
    let predicate: String?
  }

  struct IndexFacts: Encodable {
    let entity: String
    let name: String?
    let elements: [String]
    let `where`: String?
  }

  struct ConstraintFacts: Encodable {
    let entity: String
    let properties: [String]
  }

  struct ConfigurationFacts: Encodable {
    let name: String
    let entities: [String]
  }
}

extension ModelFacts.AttributeFacts {
  init(_ attribute: AttributeDescription, of owner: String) {
    self.init(
      entity: owner, name: attribute.name, type: attribute.type.description,
      optional: attribute.isOptional, default: attribute.defaultValue?.facts,
      minimum: attribute.validation.minimum?.facts, maximum: attribute.validation.maximum?.facts,
      pattern: attribute.validation.pattern, derivation: attribute.derivation?.format,
      flags: attribute.flags, transformer: attribute.valueTransformer,
      class: attribute.customClassName, renamingIdentifier: attribute.renamingIdentifier,
      versionHashModifier: attribute.versionHashModifier, userInfo: attribute.userInfo.unlessEmpty)
  }
}

extension [String: String] {
  fileprivate var unlessEmpty: Self? { isEmpty ? nil : self }
}

extension AttributeDescription {
  /// The names of the settings that are true and don't have a separate column.
  var flags: [String] {
    let flags: [(name: String, isOn: Bool)] = [
      ("transient", isTransient), ("indexed", isIndexed), ("external", allowsExternalStorage),
      ("preserved", isPreservedAfterDeletion), ("encrypted", allowsCloudEncryption),
      ("spotlight", isIndexedBySpotlight), ("scalar", usesScalarValueType),
    ]
    return flags.filter(\.isOn).map(\.name)
  }
}

extension AttributeType {
  var description: String {
    if case .composite(let name) = self { "Composite \(name)" } else { name }
  }
}

extension RelationshipDescription.Cardinality {
  var name: String {
    switch self {
    case .toOne: "to-one"
    case .toMany(ordered: false): "to-many"
    case .toMany(ordered: true): "ordered to-many"
    }
  }
}

extension FetchIndex.Element {
  var description: String {
    let name =
      switch target {
      case .property(let name): name
      case .expression(let text, _): text
      }
    return name + (kind == .rTree ? " (R-tree)" : "") + (isAscending ? "" : " descending")
  }
}

extension DataValue {
  /// The value in JSON. Dates are in ISO 8601, data is in base64, and infinity and NaN are strings.
  var facts: JSONValue {
    switch self {
    case .null: .null
    case .boolean(let flag): JSONValue(.boolean(flag))
    case .integer(let number): JSONValue(.number("\(number)"))
    case .double(let number) where number.isFinite: JSONValue(.number("\(number)"))
    case .double(let number): JSONValue(.string("\(number)"))
    case .string(let text): JSONValue(.string(text))
    case .date(let seconds): JSONValue(.string(ISODate.text(seconds) ?? "\(seconds)"))
    case .uuid(let uuid): JSONValue(.string(uuid.uuidString))
    case .binary(let bytes): JSONValue(.string(bytes.base64))
    case .objectID(let id): JSONValue(.string(id.uri))
    }
  }
}
