/// A reference from the rows of one entity to rows of another.
public struct RelationshipDescription: Hashable, Sendable {
  /// The number of destinations that a row can have.
  public enum Cardinality: Hashable, Sendable {
    /// At most one destination.
    case toOne
    /// Any number of destinations, ordered or not.
    case toMany(ordered: Bool)
  }

  /// The effect of the deletion of a row on its destinations.
  public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
    /// The destinations no longer refer to the row.
    case nullify = "Nullify"
    /// The destinations are deleted, too.
    case cascade = "Cascade"
    /// A row with destinations can't be deleted.
    case deny = "Deny"
    /// The destinations remain unchanged.
    case noAction = "No Action"
  }

  /// The name of the relationship.
  public var name: String
  /// The name of the destination entity.
  public var destination: String
  /// The name of the inverse relationship, which the destination declares or inherits.
  public var inverse: String?
  /// The number of destinations that a row can have.
  public var cardinality: Cardinality
  /// Whether a row may have no destinations.
  public var isOptional: Bool
  /// Whether the relationship exists only in memory.
  public var isTransient: Bool
  /// The minimum number of destinations as written in the XML. The version hash depends on it.
  public var minimumCount: Int?
  /// The maximum number of destinations as written in the XML. 0 means no limit. The version hash depends on it.
  public var maximumCount: Int?
  /// Whether a to-one relationship is marked as ordered. The mark doesn't have an effect, but the version hash depends
  /// on it.
  public var isOrderedToOne: Bool
  /// The effect of the deletion of a row on its destinations.
  public var deleteRule: DeleteRule
  /// Whether the relationship has an index of the old form (`indexed="YES"`).
  public var isIndexed: Bool
  /// The renaming identifier (`elementID` in the XML), which is usually the name in an older version of the model.
  /// Migrations pair relationships by it.
  public var renamingIdentifier: String?
  /// A text that changes the version hash of the relationship.
  public var versionHashModifier: String?
  /// The user info of the relationship.
  public var userInfo: [String: String]

  /// Creates a relationship. Each argument sets the property with the same name.
  public init(
    name: String, destination: String, inverse: String? = nil, cardinality: Cardinality = .toOne,
    isOptional: Bool = false, isTransient: Bool = false, minimumCount: Int? = nil,
    maximumCount: Int? = nil, isOrderedToOne: Bool = false, deleteRule: DeleteRule = .nullify,
    isIndexed: Bool = false,
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.destination = destination
    self.inverse = inverse
    self.cardinality = cardinality
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.minimumCount = minimumCount
    self.maximumCount = maximumCount
    self.isOrderedToOne = isOrderedToOne
    self.deleteRule = deleteRule
    self.isIndexed = isIndexed
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// Whether a row can have several destinations.
  public var isToMany: Bool {
    if case .toMany = cardinality { true } else { false }
  }

  /// Whether the destinations have an order.
  public var isOrdered: Bool { cardinality == .toMany(ordered: true) }
}
