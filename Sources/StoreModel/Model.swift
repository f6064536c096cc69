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
