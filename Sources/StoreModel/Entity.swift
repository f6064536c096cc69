/// A kind of row. Its lists hold what it declares itself; `Model+Inheritance` adds the rest.
public struct Entity: Hashable, Sendable {
  public var name: String
  /// The entity that it inherits from.
  public var parent: String?
  public var isAbstract: Bool
  /// The class that an app gives its objects; no effect on the store.
  public var className: String?
  /// `class`, `category` or nil for manual.
  public var codeGeneration: String?
  /// Own attributes, by name.
  public var attributes: [Attribute]
  /// Own relationships, by name.
  public var relationships: [Relationship]
  /// Own fetched properties, by name.
  public var fetchedProperties: [FetchedProperty]
  /// Named indexes, compound indexes included, in the order of the model.
  public var indexes: [FetchIndex]
  /// Each a list of property names, in the order of the model.
  public var uniquenessConstraints: [[String]]
  /// The XML's `elementID`.
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var userInfo: [String: String]

  public init(
    name: String, parent: String? = nil, isAbstract: Bool = false, className: String? = nil,
    codeGeneration: String? = nil, attributes: [Attribute] = [],
    relationships: [Relationship] = [], fetchedProperties: [FetchedProperty] = [],
    indexes: [FetchIndex] = [], uniquenessConstraints: [[String]] = [],
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.parent = parent
    self.isAbstract = isAbstract
    self.className = className
    self.codeGeneration = codeGeneration
    self.attributes = attributes.sorted { $0.name < $1.name }
    self.relationships = relationships.sorted { $0.name < $1.name }
    self.fetchedProperties = fetchedProperties.sorted { $0.name < $1.name }
    self.indexes = indexes
    self.uniquenessConstraints = uniquenessConstraints
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// A property that this entity itself declares.
  public func property(named name: String) -> Property? {
    if let found = attributes.first(where: { $0.name == name }) { return .attribute(found) }
    if let found = relationships.first(where: { $0.name == name }) { return .relationship(found) }
    if let found = fetchedProperties.first(where: { $0.name == name }) { return .fetched(found) }
    return nil
  }
}

/// Anything that an entity has a name for.
public enum Property: Hashable, Sendable {
  case attribute(Attribute)
  case relationship(Relationship)
  case fetched(FetchedProperty)

  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    case .fetched(let fetched): fetched.name
    }
  }
}

/// A property whose value is the result of a fetch request with `$FETCH_SOURCE`.
public struct FetchedProperty: Hashable, Sendable {
  public var name: String
  public var request: FetchRequestTemplate
  public var userInfo: [String: String]

  public init(name: String, request: FetchRequestTemplate, userInfo: [String: String] = [:]) {
    self.name = name
    self.request = request
    self.userInfo = userInfo
  }
}

/// Where Xcode's editor draws an entity. It stands in a model's file and is no part of the model.
package struct EditorFrame: Hashable, Sendable {
  package let x: Double
  package let y: Double
  package let width: Double
  package let height: Double

  /// Nil for numbers that no editor has written.
  package init?(x: Double, y: Double, width: Double, height: Double) {
    let all = [x, y, width, height]
    guard all.allSatisfy({ abs($0) <= Self.limit }), width >= 0, height >= 0 else { return nil }
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  private static let limit = 1_000_000.0
}

/// An index that the model asks for.
public struct FetchIndex: Hashable, Sendable {
  public struct Element: Hashable, Sendable {
    public enum Target: Hashable, Sendable {
      /// An attribute or a to-one relationship.
      case property(String)
      /// Predicate-language text.
      case expression(String, type: AttributeType)
    }

    public enum Kind: String, Hashable, Sendable {
      case binary = "Binary"
      case rTree = "RTree"
    }

    public var target: Target
    public var kind: Kind
    public var isAscending: Bool

    public init(_ target: Target, kind: Kind = .binary, isAscending: Bool = true) {
      self.target = target
      self.kind = kind
      self.isAscending = isAscending
    }
  }

  public enum Origin: Hashable, Sendable {
    /// `<fetchIndex>`, Xcode 9 and later.
    case fetchIndex
    /// `<compoundIndex>`: it has no name of its own.
    case compoundIndex
  }

  /// Empty for a compound index.
  public var name: String
  public var elements: [Element]
  /// Limits the index to some rows; predicate text.
  public var partialPredicate: String?
  public var origin: Origin

  public init(
    name: String, elements: [Element], partialPredicate: String? = nil,
    origin: Origin = .fetchIndex
  ) {
    self.name = name
    self.elements = elements
    self.partialPredicate = partialPredicate
    self.origin = origin
  }
}
