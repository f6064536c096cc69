package import StoreModel
import StorePredicate

/// Writes a model as a keyed archive. All entities and properties receive their numbers before the first entity is
/// written, because they refer to each other in cycles.
struct ModelEncoder {
  typealias Reference = KeyedArchiveWriter.Reference
  typealias Values = [(key: String, value: KeyedArchiveWriter.Field)]

  let model: DataModel
  let form: EncodedModel.Form
  var archive = KeyedArchiveWriter()
  private(set) var omissions: [EncodedModel.Omission] = []
  /// The number of index expressions that are already written. Their names, such as `expression1`, are numbered in the
  /// whole model.
  var expressionCount = 0

  /// Whether an entity has an index. It is computed only once, because each entity of a store requires it.
  private(set) lazy var hasIndexes = model.entities.contains { !indexes(of: $0).isEmpty }

  private(set) var root = Reference.null
  private var entities: [String: Reference] = [:]
  private var properties: [ModelPart: Reference] = [:]

  init(model: DataModel, form: EncodedModel.Form) {
    self.model = model
    self.form = form
  }

  mutating func encode() -> [UInt8] {
    root = archive.reserve()
    for entity in model.entities {
      entities[entity.name] = archive.reserve()
      for property in listedProperties(of: entity) {
        properties[.property(property.name, of: entity.name)] = archive.reserve()
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

  /// Returns the reference to an entity, or null if the model doesn't contain it.
  func reference(to entity: String) -> Reference { entities[entity] ?? .null }

  /// Returns the reference to a property of an entity: its own property, its copy of an inherited property or, in a
  /// file, the property of an ancestor.
  func reference(to property: String, of entity: String) -> Reference {
    guard let entity = model.entity(named: entity) else { return .null }
    let owners = [entity] + model.ancestors(of: entity)
    return owners.lazy.compactMap { properties[.property(property, of: $0.name)] }.first ?? .null
  }

  /// Returns the properties that the archive of an entity contains, sorted by name. In a file, they are the entity's
  /// own properties. In a store, they include inherited properties.
  func listedProperties(of entity: EntityDescription) -> [PropertyDescription] {
    let owners = form == .file ? [entity] : [entity] + model.ancestors(of: entity)
    return owners.flatMap { owner in
      owner.attributes.map { PropertyDescription.attribute($0) }
        + owner.relationships.map { .relationship($0) }
        + owner.fetchedProperties.map { .fetched($0) }
    }.sorted { $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars) }
  }

  mutating func omit(_ part: ModelPart, because reason: String) {
    omissions.append(EncodedModel.Omission(part: part, reason: reason))
  }

  /// Writes a text, or null for nil.
  mutating func text(_ text: String?) -> KeyedArchiveWriter.Field {
    .object(text.map { archive.string($0) } ?? .null)
  }

  mutating func dictionary(of userInfo: [String: String]) -> Reference {
    let entries = userInfo.sorted { $0.key < $1.key }.map { ($0.key, archive.string($0.value)) }
    return archive.dictionary(entries, as: .dictionary)
  }
}

/// The archive of a model, and the parts of the model that it doesn't contain.
package struct EncodedModel: Hashable, Sendable {
  /// The destination of an archive. Core Data changes the model for a store: subentities contain copies of inherited
  /// properties, and properties with the flag `isIndexed` have a fetch index.
  package enum Form: Hashable, Sendable {
    /// A `.mom` as Xcode's compiler writes it.
    case file
    /// The model cache of a store.
    case store
  }

  /// A part of the model that can't be archived.
  package struct Omission: Hashable, Sendable {
    package var part: ModelPart
    package var reason: String
  }

  package var bytes: [UInt8]
  package var omissions: [Omission]

  /// Encodes a model. Equal models have equal bytes.
  package init(_ model: DataModel, as form: Form = .file) {
    var encoder = ModelEncoder(model: model, form: form)
    bytes = encoder.encode()
    omissions = encoder.omissions
  }
}

extension ModelEncoder {
  mutating func values(of relationship: RelationshipDescription, in entity: EntityDescription)
    -> Values
  {
    let facts = PropertyFacts(
      name: relationship.name, isOptional: relationship.isOptional,
      isTransient: relationship.isTransient,
      isIndexed: isIndexed(.relationship(relationship), in: entity),
      isOrdered: relationship.isOrdered || relationship.isOrderedToOne,
      renamingIdentifier: relationship.renamingIdentifier,
      versionHashModifier: relationship.versionHashModifier, userInfo: relationship.userInfo)
    let inverse = relationship.inverse.map { reference(to: $0, of: relationship.destination) }
    let unwrittenMaximum = relationship.isToMany ? 0 : 1
    return values(of: facts, in: entity) + [
      (ArchivedKey.destination, .object(reference(to: relationship.destination))),
      (ArchivedKey.destinationName, text(relationship.destination)),
      (ArchivedKey.inverse, .object(inverse ?? .null)),
      (ArchivedKey.inverseName, text(relationship.inverse)),
      (
        ArchivedKey.deleteRule, .integer(ArchivedCode.deleteRules.code(of: relationship.deleteRule))
      ),
      (ArchivedKey.minimumCount, .integer(Int64(relationship.minimumCount ?? 0))),
      (ArchivedKey.maximumCount, .integer(Int64(relationship.maximumCount ?? unwrittenMaximum))),
    ]
  }

  mutating func values(of fetched: FetchedProperty, in entity: EntityDescription) -> Values {
    let facts = PropertyFacts(
      name: fetched.name, isOptional: true, isReadOnly: true, isTransient: true,
      userInfo: fetched.userInfo)
    let request = request(of: fetched.request, part: .property(fetched.name, of: entity.name))
    return values(of: facts, in: entity) + [
      (ArchivedKey.fetchRequest, .object(request ?? .null)),
      (ArchivedKey.fetchRequestEntityName, text(fetched.request.entity)),
    ]
  }

  /// Writes a fetch request. If its predicate has a syntax error, adds `part` to `omissions` and returns nil, because
  /// without the predicate the request would match all rows.
  mutating func request(of template: FetchRequestTemplate, part: ModelPart) -> Reference? {
    if template.predicate == nil, let text = template.predicateText {
      omit(part, because: "its predicate can't be read: \(text.text)")
      return nil
    }
    let predicate = template.predicate.map { archive.predicate($0) } ?? .null
    return archive.object(
      .fetchRequest,
      [
        (ArchivedKey.entity, .object(reference(to: template.entity))),
        (ArchivedKey.predicate, .object(predicate)), (ArchivedKey.sortDescriptors, .object(.null)),
        (ArchivedKey.fetchLimit, .integer(Int64(template.limit))),
        (ArchivedKey.fetchOffset, .integer(0)),
        (ArchivedKey.batchSize, .integer(Int64(template.batchSize))),
        (ArchivedKey.resultType, .integer(Int64(template.resultType.rawValue))),
        (ArchivedKey.hasRequestFlags, .boolean(true)),
        (ArchivedKey.fetchRequestFlags, .integer(flags(of: template))),
        (ArchivedKey.allocationType, .integer(0)), (ArchivedKey.valuesToFetch, .object(.null)),
        (ArchivedKey.valuesToGroupBy, .object(.null)),
        (ArchivedKey.havingPredicate, .object(.null)),
        (ArchivedKey.prefetching, .object(.null)),
      ])
  }

  private func flags(of template: FetchRequestTemplate) -> Int64 {
    ArchivedCode.bits([
      (RequestFlags.returnsDistinctResults, template.returnsDistinctResults),
      (RequestFlags.includesSubentities, template.includesSubentities),
      (RequestFlags.includesPropertyValues, template.includesPropertyValues),
      (RequestFlags.returnsObjectsAsFaults, template.returnsObjectsAsFaults),
      (RequestFlags.includesPendingChanges, template.includesPendingChanges),
    ])
  }
}
