import RecordFormats
import StoreModel
import StoreModelReader
import StorePredicate

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The facts of `model show`: flat lists, each line naming its entity, so that a table, a grep and
/// jq can all read them. A property stands with the entity that declares it.
enum ModelFacts {
  static func page(of found: FoundModel) -> Facts {
    let model = found.model
    var page = FactObject()
    page.add("model", found.bundle.name)
    page.add("version", found.version.name)
    page.add("identifiers", model.versionIdentifiers)
    page.add("entities", model.entities.map { entity($0, in: model) })
    page.add(
      "attributes",
      model.entities.flatMap { entity in
        entity.attributes.map { attribute($0, of: entity.name) }
      })
    page.add(
      "relationships",
      model.entities.flatMap { entity in
        entity.relationships.map { relationship($0, of: entity) }
      })
    page.add(
      "fetchedProperties",
      model.entities.flatMap { entity in
        entity.fetchedProperties.map { fetchedProperty($0, of: entity) }
      })
    page.add(
      "indexes",
      model.entities.flatMap { entity in
        entity.indexes.map { index($0, of: entity) }
      })
    page.add(
      "constraints",
      model.entities.flatMap { entity in
        entity.uniquenessConstraints.map { constraint($0, of: entity) }
      })
    page.add(
      "composites",
      model.composites.flatMap { composite in
        composite.attributes.map { attribute($0, of: composite.name) }
      })
    page.add(
      "configurations",
      model.configurations.map { configuration in
        var object = FactObject()
        object.add("name", configuration.name)
        object.add("entities", configuration.entities)
        return object
      })
    page.add(
      "templates",
      JSONValue(
        .array(model.templates.map { TemplateFacts.facts(of: $0, in: model) })))
    return .page(page.value)
  }

  private static func entity(_ entity: Entity, in model: Model) -> FactObject {
    var object = FactObject()
    object.add("name", entity.name)
    object.add("parent", entity.parent)
    object.add("abstract", entity.isAbstract)
    object.add("class", entity.className)
    object.add("codeGeneration", entity.codeGeneration)
    object.add("renamingIdentifier", entity.renamingIdentifier)
    object.add("versionHashModifier", entity.versionHashModifier)
    object.add("userInfo", entity.userInfo.facts)
    return object
  }

  private static func attribute(_ attribute: Attribute, of owner: String) -> FactObject {
    var object = FactObject()
    object.add("entity", owner)
    object.add("name", attribute.name)
    object.add("type", attribute.type.description)
    object.add("optional", attribute.isOptional)
    object.add("default", attribute.defaultValue?.facts)
    object.add("minimum", attribute.validation.minimum?.facts)
    object.add("maximum", attribute.validation.maximum?.facts)
    object.add("pattern", attribute.validation.pattern)
    object.add("derivation", attribute.derivation?.format)
    object.add("flags", attribute.flags)
    object.add("transformer", attribute.valueTransformer)
    object.add("class", attribute.customClassName)
    object.add("renamingIdentifier", attribute.renamingIdentifier)
    object.add("versionHashModifier", attribute.versionHashModifier)
    object.add("userInfo", attribute.userInfo.facts)
    return object
  }

  private static func relationship(
    _ relationship: Relationship, of entity: Entity
  ) -> FactObject {
    var object = FactObject()
    object.add("entity", entity.name)
    object.add("name", relationship.name)
    object.add("destination", relationship.destination)
    object.add("inverse", relationship.inverse)
    object.add("cardinality", relationship.cardinality.name)
    object.add("optional", relationship.isOptional)
    object.add("minimum", relationship.minimumCount)
    object.add("maximum", relationship.maximumCount)
    object.add("deleteRule", relationship.deleteRule.rawValue)
    object.add("transient", relationship.isTransient)
    object.add("renamingIdentifier", relationship.renamingIdentifier)
    object.add("versionHashModifier", relationship.versionHashModifier)
    object.add("userInfo", relationship.userInfo.facts)
    return object
  }

  private static func fetchedProperty(
    _ fetched: FetchedProperty, of entity: Entity
  ) -> FactObject {
    var object = FactObject()
    object.add("entity", entity.name)
    object.add("name", fetched.name)
    object.add("destination", fetched.request.entity)
    object.add("predicate", fetched.request.predicateText?.text)
    return object
  }

  private static func index(_ index: FetchIndex, of entity: Entity) -> FactObject {
    var object = FactObject()
    object.add("entity", entity.name)
    object.add("name", index.name.isEmpty ? nil : index.name)
    object.add("elements", index.elements.map(\.description))
    object.add("where", index.partialPredicate)
    return object
  }

  private static func constraint(_ names: [String], of entity: Entity) -> FactObject {
    var object = FactObject()
    object.add("entity", entity.name)
    object.add("properties", names)
    return object
  }
}

extension Attribute {
  /// What is set and has no column of its own.
  var flags: [String] {
    [
      ("transient", isTransient), ("indexed", isIndexed), ("external", allowsExternalStorage),
      ("preserved", isPreservedAfterDeletion), ("encrypted", allowsCloudEncryption),
      ("spotlight", isIndexedBySpotlight), ("scalar", usesScalarValueType),
    ].filter(\.1).map(\.0)
  }
}

extension AttributeType {
  var description: String {
    if case .composite(let name) = self { "Composite \(name)" } else { name }
  }
}

extension Relationship.Cardinality {
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

extension [String: String] {
  /// Nil when there is none.
  fileprivate var facts: JSONValue? {
    guard !isEmpty else { return nil }
    let members = sorted { $0.key < $1.key }
      .map { JSONValue.Member(key: $0.key, value: JSONValue(.string($0.value))) }
    return JSONValue(.object(members))
  }
}

extension Value {
  /// As the predicate language prints it, strings without their quotes.
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
