import StoreModel
import StorePredicate

/// Writes a model object by object. Each entity and property has its number before any is written:
/// they refer to each other in circles.
struct ModelEncoder {
  typealias Reference = KeyedArchiveWriter.Reference
  typealias Values = [(key: String, value: KeyedArchiveWriter.Field)]

  let model: Model
  let form: EncodedModel.Form
  var archive = KeyedArchiveWriter()
  private(set) var omissions: [EncodedModel.Omission] = []
  /// How many expressions of indexes have a name; they are numbered through the whole model.
  var expressionCount = 0

  private var root = Reference.null
  private var entities: [String: Reference] = [:]
  private var properties: [PropertyName: Reference] = [:]

  private struct PropertyName: Hashable {
    var entity: String
    var property: String
  }

  init(model: Model, form: EncodedModel.Form) {
    self.model = model
    self.form = form
  }

  mutating func encode() -> [UInt8] {
    root = archive.reserve()
    for entity in model.entities {
      entities[entity.name] = archive.reserve()
      for property in listedProperties(of: entity) {
        let name = PropertyName(entity: entity.name, property: property.name)
        properties[name] = archive.reserve()
      }
    }
    for entity in model.entities {
      archive.fill(reference(to: entity.name), .entity, values(of: entity))
    }
    archive.fill(root, .model, modelValues())
    return archive.bytes(root: root)
  }

  private mutating func modelValues() -> Values {
    let templates = model.templates.compactMap { template in
      request(of: template, part: .template(template.name)).map { (template.name, $0) }
    }
    var values: Values = [
      (ArchivedKey.entities, .object(entityDictionary())),
      (
        ArchivedKey.templates,
        .object(templates.isEmpty ? .null : archive.dictionary(templates))
      ),
      (ArchivedKey.versionIdentifiers, .object(versionIdentifiers())),
    ]
    if !model.configurations.isEmpty {
      let configurations = model.configurations.map { configuration in
        let members = configuration.entities.map { reference(to: $0) }
        return (configuration.name, archive.collection(members, as: .set))
      }
      values.append((ArchivedKey.configurations, .object(archive.dictionary(configurations))))
    }
    return values
  }

  private mutating func versionIdentifiers() -> Reference {
    let identifiers = model.versionIdentifiers.map { archive.string($0) }
    return archive.collection(identifiers, as: .set)
  }

  private mutating func entityDictionary() -> Reference {
    switch form {
    case .file:
      archive.dictionary(model.entities.map { ($0.name, reference(to: $0.name)) })
    case .store: knownKeysDictionary()
    }
  }

  private mutating func knownKeysDictionary() -> Reference {
    let keys = archive.collection(model.entities.map { archive.string($0.name) })
    let mapping = archive.object(
      .knownKeysMapping,
      [
        (ArchivedKey.keys, .object(keys)),
        (ArchivedKey.length, .integer(Int64(model.entities.count))),
        (ArchivedKey.version, .integer(1)),
      ])
    let values = archive.collection(model.entities.map { reference(to: $0.name) })
    return archive.object(
      .knownKeys,
      [
        (ArchivedKey.values, .object(values)), (ArchivedKey.searchMapping, .object(mapping)),
        (
          ArchivedKey.emptyToken,
          .object(archive.string("__empty_slot_token_4c24_98dc_ac1e_b773__"))
        ),
        (ArchivedKey.version, .integer(1)),
      ])
  }
}

extension ModelEncoder {
  var modelReference: Reference { root }

  /// Null for an entity that there is not.
  func reference(to entity: String) -> Reference { entities[entity] ?? .null }

  /// The property as the entity has it: its own, its copy of an inherited one, or the parent's.
  func reference(to property: String, of entity: String) -> Reference {
    guard let entity = model.entity(named: entity) else { return .null }
    let owners = [entity] + model.ancestors(of: entity)
    return owners.lazy.compactMap {
      properties[PropertyName(entity: $0.name, property: property)]
    }.first ?? .null
  }

  /// The properties that stand in the archive of an entity, by name.
  func listedProperties(of entity: Entity) -> [Property] {
    let owners = form == .file ? [entity] : [entity] + model.ancestors(of: entity)
    return owners.flatMap { owner in
      owner.attributes.map { Property.attribute($0) }
        + owner.relationships.map { .relationship($0) }
        + owner.fetchedProperties.map { .fetched($0) }
    }.sorted { $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars) }
  }

  mutating func omit(_ part: ModelPart, because reason: String) {
    omissions.append(EncodedModel.Omission(part: part, reason: reason))
  }

  /// Null for no text at all.
  mutating func text(_ text: String?) -> KeyedArchiveWriter.Field {
    .object(text.map { archive.string($0) } ?? .null)
  }

  mutating func dictionary(of userInfo: [String: String]) -> Reference {
    let entries = userInfo.sorted { $0.key < $1.key }.map { ($0.key, archive.string($0.value)) }
    return archive.dictionary(entries, as: .dictionary)
  }
}
