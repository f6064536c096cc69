public import StoreDiagnostics
import StorePredicate

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One version of a Core Data model. Relationships, indexes and constraints must refer to entities and properties of
/// the same model.
public struct DataModel: Hashable, Sendable {
  /// The name of the version, such as `Todo 2` for `Todo 2.xcdatamodel`.
  public let name: String
  /// The identifiers that the store's metadata contains as `NSStoreModelVersionIdentifiers`. The default is `[""]`.
  public let versionIdentifiers: [String]
  /// The entities, sorted by the code points of their names.
  public let entities: [EntityDescription]
  /// The fetch request templates, sorted by name.
  public let templates: [FetchRequestTemplate]
  /// The configurations.
  public let configurations: [ConfigurationDescription]
  /// The composites.
  public let composites: [CompositeDescription]

  private let positions: [String: Int]
  /// The positions of the direct sub-entities in `entities`, by the name of the parent.
  private let childPositions: [String: [Int]]

  /// Creates a model, and sorts its entities and templates by name. Each argument sets the property with the same name.
  ///
  /// - Precondition: Names are unique, and parents exist and don't form a cycle. Names that differ only in the Unicode
  ///   spelling of their characters aren't unique.
  public init(
    name: String, versionIdentifiers: [String] = [""], entities: [EntityDescription],
    templates: [FetchRequestTemplate] = [], configurations: [ConfigurationDescription] = [],
    composites: [CompositeDescription] = []
  ) {
    self.name = name
    self.versionIdentifiers = versionIdentifiers
    self.entities = entities.sorted {
      $0.name.unicodeScalars.lexicographicallyPrecedes($1.name.unicodeScalars)
    }
    self.templates = templates.sorted { $0.name < $1.name }
    self.configurations = configurations
    self.composites = composites
    positions = Dictionary(zip(self.entities.map(\.name), self.entities.indices)) { first, _ in
      first
    }
    childPositions = self.entities.enumerated().reduce(into: [:]) { found, place in
      if let parent = place.element.parent { found[parent, default: []].append(place.offset) }
    }
  }

  /// Returns the direct sub-entities of an entity, sorted by name.
  ///
  /// - Parameter entity: An entity of the model.
  public func children(of entity: EntityDescription) -> [EntityDescription] {
    childPositions[entity.name, default: []].map { entities[$0] }
  }

  /// Returns whether an entity has sub-entities.
  package func hasSubentities(_ entity: EntityDescription) -> Bool {
    childPositions[entity.name] != nil
  }

  /// Returns the entity with a name, or nil if it doesn't exist.
  ///
  /// - Parameter name: The name of the entity.
  public func entity(named name: String) -> EntityDescription? {
    positions[name].map { entities[$0] }
  }

  /// Returns a fetch request template, or the request of a fetched property such as `Employee.colleagues`.
  ///
  /// - Parameter name: The name of the template, or the names of an entity and its fetched property.
  /// - Returns: The template, or nil if it doesn't exist.
  public func template(named name: String) -> FetchRequestTemplate? {
    templates.first { $0.name == name } ?? fetchedPropertyTemplate(named: name)
  }

  /// Returns the composite with a name, or nil if it doesn't exist.
  ///
  /// - Parameter name: The name of the composite.
  public func composite(named name: String) -> CompositeDescription? {
    composites.first { $0.name == name }
  }
}

/// A named subset of the entities. An entity may be in several configurations or in none.
public struct ConfigurationDescription: Hashable, Sendable {
  /// The name of the configuration.
  public var name: String
  /// The names of its entities.
  public var entities: [String]

  /// Creates a configuration from its name and the names of its entities.
  public init(name: String, entities: [String]) {
    self.name = name
    self.entities = entities
  }
}

/// A named group of attributes, which an attribute with a composite type contains.
public struct CompositeDescription: Hashable, Sendable {
  /// The name of the composite.
  public var name: String
  /// The attributes in the group.
  public var attributes: [AttributeDescription]

  /// Creates a composite from its name and its attributes.
  public init(name: String, attributes: [AttributeDescription]) {
    self.name = name
    self.attributes = attributes
  }
}

extension DataModel {
  /// Returns the name of the String attribute that identifies rows in messages: an attribute that alone is a uniqueness
  /// constraint, otherwise `name`, `title` or `label`, otherwise the first attribute by name. Nil if there is none.
  package func namingAttribute(of entity: String) -> String? {
    guard let entity = self.entity(named: entity) else { return nil }
    let texts = attributes(of: entity).filter { $0.type == .string && !$0.isTransient }.map(\.name)
    let unique = ([entity] + ancestors(of: entity)).flatMap(\.uniquenessConstraints)
      .filter { $0.count == 1 }.compactMap(\.first)
    return (unique + ["name", "title", "label"]).first(where: texts.contains) ?? texts.first
  }

  /// Returns the ancestors of an entity, from its parent to its root.
  ///
  /// - Parameter entity: An entity of the model.
  public func ancestors(of entity: EntityDescription) -> [EntityDescription] {
    var found: [EntityDescription] = []
    var next = entity.parent.flatMap(self.entity(named:))
    while let parent = next, found.count < entities.count {
      found.append(parent)
      next = parent.parent.flatMap(self.entity(named:))
    }
    return found
  }

  /// Returns the topmost ancestor of an entity, or the entity itself if it doesn't have a parent. The root's table
  /// contains the rows.
  ///
  /// - Parameter entity: An entity of the model.
  public func root(of entity: EntityDescription) -> EntityDescription {
    ancestors(of: entity).last ?? entity
  }

  /// Returns an entity and all entities that inherit from it, parents before children.
  ///
  /// - Parameter entity: An entity of the model.
  public func subtree(of entity: EntityDescription) -> [EntityDescription] {
    [entity] + children(of: entity).flatMap(subtree)
  }

  /// Returns whether an entity is the same as another one or inherits from it.
  ///
  /// - Parameters:
  ///   - entity: The possible descendant.
  ///   - ancestor: The possible ancestor.
  public func isKind(_ entity: EntityDescription, of ancestor: EntityDescription) -> Bool {
    entity.name == ancestor.name || ancestors(of: entity).contains { $0.name == ancestor.name }
  }

  /// Returns the own and inherited attributes of an entity, sorted by name.
  ///
  /// - Parameter entity: An entity of the model.
  public func attributes(of entity: EntityDescription) -> [AttributeDescription] {
    ([entity] + ancestors(of: entity)).flatMap(\.attributes).sorted { $0.name < $1.name }
  }

  /// Returns the own and inherited relationships of an entity, sorted by name.
  ///
  /// - Parameter entity: An entity of the model.
  public func relationships(of entity: EntityDescription) -> [RelationshipDescription] {
    ([entity] + ancestors(of: entity)).flatMap(\.relationships).sorted { $0.name < $1.name }
  }

  /// Returns an own or inherited property of an entity.
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - entity: An entity of the model.
  /// - Returns: The property and the entity that declares it, or nil if it doesn't exist.
  public func property(named name: String, of entity: EntityDescription) -> (
    PropertyDescription, declaredBy: EntityDescription
  )? {
    ([entity] + ancestors(of: entity)).lazy
      .compactMap { owner in owner.property(named: name).map { ($0, owner) } }.first
  }

  /// Returns the inverse of a relationship.
  ///
  /// - Parameter relationship: A relationship of the model.
  /// - Returns: The inverse and the entity that declares it, or nil if the relationship doesn't have an inverse.
  public func inverse(of relationship: RelationshipDescription) -> (
    RelationshipDescription, declaredBy: EntityDescription
  )? {
    guard let name = relationship.inverse,
      let destination = entity(named: relationship.destination),
      case (.relationship(let inverse), let owner)? = property(named: name, of: destination)
    else { return nil }
    return (inverse, owner)
  }
}

// Synthesized equality ignores the Unicode spelling of texts. These functions also compare the bytes of texts.

extension AttributeDescription {
  /// Returns whether both attributes are equal, with texts compared byte by byte.
  package func isExactly(_ other: AttributeDescription) -> Bool {
    self == other && zip(texts, other.texts).allSatisfy { $0.isExactly($1) }
      && type.isExactly(other.type) && ExactDictionary(userInfo).isExactly(other.userInfo)
  }

  private var texts: [String?] {
    [
      name, valueTransformer, customClassName, renamingIdentifier, versionHashModifier,
      validation.pattern, derivation?.format,
    ]
  }
}

extension AttributeType {
  /// Returns whether both types are equal, with the name of a composite compared byte by byte.
  package func isExactly(_ other: AttributeType) -> Bool {
    guard case .composite(let name) = self, case .composite(let other) = other else {
      return self == other
    }
    return name.isExactly(other)
  }
}

extension FetchIndex {
  /// Returns whether both indexes are equal, with texts compared byte by byte.
  package func isExactly(_ other: FetchIndex) -> Bool {
    self == other && name.isExactly(other.name)
      && partialPredicate.isExactly(other.partialPredicate)
      && zip(elements, other.elements).allSatisfy { $0.target.text.isExactly($1.target.text) }
  }
}

extension FetchIndex.Element.Target {
  /// The name of the property, or the text of the expression.
  package var text: String {
    switch self {
    case .property(let name): name
    case .expression(let text, _): text
    }
  }
}

extension ExactDictionary<String> {
  /// Returns whether both dictionaries have the same keys and values, compared byte by byte.
  package func isExactly(_ other: [String: String]) -> Bool {
    count == other.count
      && other.allSatisfy { key, value in self[key].isExactly(value) }
  }
}

extension DataModel {
  /// Returns the entity with a name that the user typed.
  ///
  /// - Parameter name: The name of the entity.
  /// - Throws: `ModelLookupError` with the existing names if the entity doesn't exist.
  public func requireEntity(named name: String) throws(ModelLookupError) -> EntityDescription {
    guard let found = entity(named: name) else {
      throw .unknownEntity(name, known: entities.map(\.name))
    }
    return found
  }

  /// Returns the fetch request template or the fetched property with a name that the user typed.
  ///
  /// - Parameter name: The name of the template, or the names of an entity and its fetched property.
  /// - Throws: `ModelLookupError` with the existing names if the template doesn't exist.
  public func requireTemplate(named name: String) throws(ModelLookupError) -> FetchRequestTemplate {
    guard let found = template(named: name) else {
      throw .unknownTemplate(name, known: (templates + fetchedPropertyTemplates).map(\.name))
    }
    return found
  }
}

/// A name that doesn't exist in a model.
public enum ModelLookupError: DiagnosableError, Hashable {
  /// The name of an entity doesn't exist. The entities of the model are `known`.
  case unknownEntity(String, known: [String])
  /// The name of a fetch request template doesn't exist. The templates of the model are `known`.
  case unknownTemplate(String, known: [String])
  /// The name of a version doesn't exist. The versions of the model are `known`.
  case unknownVersion(String, known: [String])

  public var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .unknownEntity(let name, let known):
      DiagnosticMessage(
        .error, "model.unknown-entity", "the model has no entity '\(name)'", cause: .notFound
      ).didYouMean(name, among: known, elseListing: "its entities are")
    case .unknownTemplate(let name, let known):
      DiagnosticMessage(
        .error, "model.unknown-template", "the model has no fetch-request template '\(name)'",
        cause: .notFound
      ).didYouMean(name, among: known).helping(.model(.listTemplates))
    case .unknownVersion(let name, let known):
      DiagnosticMessage(
        .error, "model.unknown-version", "the model has no version '\(name)'", cause: .notFound
      ).didYouMean(name, among: known, elseListing: "its versions are")
    }
  }
}

/// A named part of a model.
package enum ModelPart: Hashable, Sendable {
  case entity(String)
  /// A property, with the entity that declares it.
  case property(String, of: String)
  /// An index, with its entity. Compound indexes don't have a name.
  case index(String, of: String)
  case template(String)
  case configuration(String)
  case composite(String)
}

extension ModelLookupError: LocalizedError {}
