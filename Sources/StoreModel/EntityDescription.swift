/// An entity of a model. Its lists contain only the properties that the entity declares itself. The methods of
/// `DataModel` also return inherited properties.
public struct EntityDescription: Hashable, Sendable {
  /// The name of the entity.
  public var name: String
  /// The name of the parent entity.
  public var parent: String?
  /// Whether rows can only belong to sub-entities.
  public var isAbstract: Bool
  /// The name of the class in the app. It doesn't affect the store.
  public var className: String?
  /// How Xcode generates the class: `class`, `category`, or nil for manual code.
  public var codeGeneration: String?
  /// The entity's own attributes, sorted by name.
  public var attributes: [AttributeDescription]
  /// The entity's own relationships, sorted by name.
  public var relationships: [RelationshipDescription]
  /// The entity's own fetched properties, sorted by name.
  public var fetchedProperties: [FetchedProperty]
  /// The fetch indexes and compound indexes, in the order of the model.
  public var indexes: [FetchIndex]
  /// The uniqueness constraints as lists of property names, in the order of the model.
  public var uniquenessConstraints: [[String]]
  /// The renaming identifier (`elementID` in the XML), which is usually the name in an older version of the model.
  /// Migrations pair entities by it.
  public var renamingIdentifier: String?
  /// A text that changes the version hash of the entity.
  public var versionHashModifier: String?
  /// The user info of the entity.
  public var userInfo: [String: String]

  /// Creates an entity, and sorts its properties by name. Each argument sets the property with the same name.
  public init(
    name: String, parent: String? = nil, isAbstract: Bool = false, className: String? = nil,
    codeGeneration: String? = nil, attributes: [AttributeDescription] = [],
    relationships: [RelationshipDescription] = [], fetchedProperties: [FetchedProperty] = [],
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

  /// Returns a property that the entity declares itself.
  ///
  /// - Parameter name: The name of the property.
  /// - Returns: The property, or nil if the entity doesn't declare it.
  public func property(named name: String) -> PropertyDescription? {
    if let found = attributes.first(where: { $0.name == name }) { return .attribute(found) }
    if let found = relationships.first(where: { $0.name == name }) { return .relationship(found) }
    if let found = fetchedProperties.first(where: { $0.name == name }) { return .fetched(found) }
    return nil
  }
}

/// A property of an entity.
public enum PropertyDescription: Hashable, Sendable {
  /// An attribute.
  case attribute(AttributeDescription)
  /// A relationship.
  case relationship(RelationshipDescription)
  /// A fetched property.
  case fetched(FetchedProperty)

  /// The name of the property.
  public var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    case .fetched(let fetched): fetched.name
    }
  }
}

/// A property whose value is the result of a fetch request, which can use `$FETCH_SOURCE`.
public struct FetchedProperty: Hashable, Sendable {
  /// The name of the fetched property.
  public var name: String
  /// The fetch request.
  public var request: FetchRequestTemplate
  /// The user info of the fetched property.
  public var userInfo: [String: String]

  /// Creates a fetched property. Each argument sets the property with the same name.
  public init(name: String, request: FetchRequestTemplate, userInfo: [String: String] = [:]) {
    self.name = name
    self.request = request
    self.userInfo = userInfo
  }
}

/// The position of an entity in Xcode's model editor. Model files contain it, but it isn't part of the model.
package struct EditorFrame: Hashable, Sendable {
  package let x: Double
  package let y: Double
  package let width: Double
  package let height: Double

  /// Returns nil for numbers that no editor writes, such as a negative width.
  package init?(x: Double, y: Double, width: Double, height: Double) {
    let all = [x, y, width, height]
    guard all.allSatisfy({ abs($0) <= Self.limit }), width >= 0, height >= 0 else { return nil }
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  private static let limit = 1_000_000.0
}

/// An index that a model defines.
public struct FetchIndex: Hashable, Sendable {
  /// One column or expression of an index.
  public struct Element: Hashable, Sendable {
    /// The property or expression of an element.
    public enum Target: Hashable, Sendable {
      /// An attribute or a to-one relationship.
      case property(String)
      /// An expression in the predicate language, and the type of its values.
      case expression(String, type: AttributeType)
    }

    /// The data structure of an index.
    public enum Kind: String, Hashable, Sendable {
      /// A sorted index.
      case binary = "Binary"
      /// An R-tree for ranges of numbers.
      case rTree = "RTree"
    }

    /// The indexed property or expression.
    public var target: Target
    /// The data structure.
    public var kind: Kind
    /// Whether values are in ascending order.
    public var isAscending: Bool

    /// Creates an element.
    ///
    /// - Parameters:
    ///   - target: The indexed property or expression.
    ///   - kind: The data structure.
    ///   - isAscending: Whether values are in ascending order.
    public init(_ target: Target, kind: Kind = .binary, isAscending: Bool = true) {
      self.target = target
      self.kind = kind
      self.isAscending = isAscending
    }
  }

  /// The XML element that defines an index.
  public enum Origin: Hashable, Sendable {
    /// `<fetchIndex>`, since Xcode 9.
    case fetchIndex
    /// `<compoundIndex>`, which doesn't have a name.
    case compoundIndex
  }

  /// The name of the index, which is empty for a compound index.
  public var name: String
  /// The indexed properties and expressions.
  public var elements: [Element]
  /// A predicate on the indexed rows. If it is nil, all rows are indexed.
  public var partialPredicate: String?
  /// The XML element that defines the index.
  public var origin: Origin

  /// Creates an index. Each argument sets the property with the same name.
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
