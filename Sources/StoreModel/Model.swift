public import StoreDiagnostics
import StorePredicate

/// One version of a Core Data model, valid: every name that it mentions exists.
public struct Model: Hashable, Sendable {
  /// The version's name: `Todo 2` for `Todo 2.xcdatamodel`.
  public let name: String
  /// What the store's `NSStoreModelVersionIdentifiers` will hold: `[""]` when none is set.
  public let versionIdentifiers: [String]
  /// Sorted by name, code point by code point.
  public let entities: [Entity]
  /// Sorted by name.
  public let templates: [FetchRequestTemplate]
  public let configurations: [Configuration]
  public let composites: [Composite]

  private let positions: [String: Int]
  /// The positions of direct sub-entities, by the parent's name.
  private let childPositions: [String: [Int]]

  /// - Precondition: names are unique, parents exist and form no cycle; the reader sees to it. Two
  ///   names that differ only in how Unicode writes their characters are not unique.
  public init(
    name: String, versionIdentifiers: [String] = [""], entities: [Entity],
    templates: [FetchRequestTemplate] = [], configurations: [Configuration] = [],
    composites: [Composite] = []
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

  /// Direct sub-entities, by name.
  public func children(of entity: Entity) -> [Entity] {
    childPositions[entity.name, default: []].map { entities[$0] }
  }

  /// Whether other entities inherit from it.
  package func hasSubentities(_ entity: Entity) -> Bool { childPositions[entity.name] != nil }

  public func entity(named name: String) -> Entity? {
    positions[name].map { entities[$0] }
  }

  /// A fetch-request template, or the request of a fetched property: `Employee.colleagues`.
  public func template(named name: String) -> FetchRequestTemplate? {
    templates.first { $0.name == name } ?? fetchedPropertyTemplate(named: name)
  }

  public func composite(named name: String) -> Composite? {
    composites.first { $0.name == name }
  }
}

/// A named subset of the entities; an entity may be in several or in none.
public struct Configuration: Hashable, Sendable {
  public var name: String
  public var entities: [String]

  public init(name: String, entities: [String]) {
    self.name = name
    self.entities = entities
  }
}

/// A group of attributes that an attribute of type composite stands for.
public struct Composite: Hashable, Sendable {
  public var name: String
  public var attributes: [Attribute]

  public init(name: String, attributes: [Attribute]) {
    self.name = name
    self.attributes = attributes
  }
}

extension Model {
  /// The attribute by which people would tell the rows of an entity apart: a unique text, one called name or
  /// title, else the first text. For messages.
  package func namingAttribute(of entity: String) -> String? {
    guard let entity = self.entity(named: entity) else { return nil }
    let texts = attributes(of: entity).filter { $0.type == .string && !$0.isTransient }.map(\.name)
    let unique = ([entity] + ancestors(of: entity)).flatMap(\.uniquenessConstraints)
      .filter { $0.count == 1 }.compactMap(\.first)
    return (unique + ["name", "title", "label"]).first(where: texts.contains) ?? texts.first
  }

  /// The entity's parents, the nearest first.
  public func ancestors(of entity: Entity) -> [Entity] {
    var found: [Entity] = []
    var next = entity.parent.flatMap(self.entity(named:))
    while let parent = next, found.count < entities.count {
      found.append(parent)
      next = parent.parent.flatMap(self.entity(named:))
    }
    return found
  }

  /// The ancestor that has no parent, or the entity itself: its table holds the rows.
  public func root(of entity: Entity) -> Entity {
    ancestors(of: entity).last ?? entity
  }

  /// The entity and everything below it, parents before their children.
  public func subtree(of entity: Entity) -> [Entity] {
    [entity] + children(of: entity).flatMap(subtree)
  }

  public func isKind(_ entity: Entity, of ancestor: Entity) -> Bool {
    entity.name == ancestor.name || ancestors(of: entity).contains { $0.name == ancestor.name }
  }

  /// Own and inherited attributes, by name.
  public func attributes(of entity: Entity) -> [Attribute] {
    ([entity] + ancestors(of: entity)).flatMap(\.attributes).sorted { $0.name < $1.name }
  }

  /// Own and inherited relationships, by name.
  public func relationships(of entity: Entity) -> [Relationship] {
    ([entity] + ancestors(of: entity)).flatMap(\.relationships).sorted { $0.name < $1.name }
  }

  /// The property of that name, with the entity that declares it.
  public func property(named name: String, of entity: Entity) -> (Property, declaredBy: Entity)? {
    ([entity] + ancestors(of: entity)).lazy
      .compactMap { owner in owner.property(named: name).map { ($0, owner) } }.first
  }

  /// The other side of a relationship that `entity` has; nil when it has none.
  public func inverse(of relationship: Relationship) -> (Relationship, declaredBy: Entity)? {
    guard let name = relationship.inverse,
      let destination = entity(named: relationship.destination),
      case (.relationship(let inverse), let owner)? = property(named: name, of: destination)
    else { return nil }
    return (inverse, owner)
  }
}

// Synthesized equality takes two spellings of a text for one. These also compare the bytes of the texts.

extension Attribute {
  /// Whether both are the same, names and other texts byte by byte.
  package func isExactly(_ other: Attribute) -> Bool {
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
  /// Whether both are the same, the name of a composite byte by byte.
  package func isExactly(_ other: AttributeType) -> Bool {
    guard case .composite(let name) = self, case .composite(let other) = other else {
      return self == other
    }
    return name.isExactly(other)
  }
}

extension FetchIndex {
  /// Whether both are the same, names and other texts byte by byte.
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
  /// Whether both have the same keys and values, byte by byte.
  package func isExactly(_ other: [String: String]) -> Bool {
    count == other.count
      && other.allSatisfy { key, value in self[key].isExactly(value) }
  }
}

extension Model {
  /// The entity of a name that a user typed.
  ///
  /// - Throws: `ModelLookupError` with the names that exist.
  public func requireEntity(named name: String) throws(ModelLookupError) -> Entity {
    guard let found = entity(named: name) else {
      throw .unknownEntity(name, known: entities.map(\.name))
    }
    return found
  }

  /// The fetch-request template, or the fetched property, of a name that a user typed.
  ///
  /// - Throws: `ModelLookupError` with the names that exist.
  public func requireTemplate(named name: String) throws(ModelLookupError) -> FetchRequestTemplate {
    guard let found = template(named: name) else {
      throw .unknownTemplate(name, known: (templates + fetchedPropertyTemplates).map(\.name))
    }
    return found
  }
}

/// A name that a model does not have.
public enum ModelLookupError: DiagnosableError, Hashable {
  case unknownEntity(String, known: [String])
  case unknownTemplate(String, known: [String])
  /// Of the versions of a model.
  case unknownVersion(String, known: [String])

  public var diagnostics: [Diagnostic] { [diagnostic] }

  private var diagnostic: Diagnostic {
    switch self {
    case .unknownEntity(let name, let known):
      Diagnostic(
        .error, "model.unknown-entity", "the model has no entity '\(name)'", cause: .notFound
      ).didYouMean(name, among: known, elseListing: "its entities are")
    case .unknownTemplate(let name, let known):
      Diagnostic(
        .error, "model.unknown-template", "the model has no fetch-request template '\(name)'",
        cause: .notFound
      ).didYouMean(name, among: known).helping(.model(.listTemplates))
    case .unknownVersion(let name, let known):
      Diagnostic(
        .error, "model.unknown-version", "the model has no version '\(name)'", cause: .notFound
      ).didYouMean(name, among: known, elseListing: "its versions are")
    }
  }
}

/// Something in a model that has a name in the model's file.
package enum ModelPart: Hashable, Sendable {
  case entity(String)
  /// Where an entity inherits it, it is the parent's.
  case property(String, of: String)
  /// A named index; compound indexes have no name.
  case index(String, of: String)
  case template(String)
  case configuration(String)
  case composite(String)
}
