/// A reference from the rows of one entity to rows of another.
public struct Relationship: Hashable, Sendable {
  public enum Cardinality: Hashable, Sendable {
    case toOne
    case toMany(ordered: Bool)
  }

  public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
    case nullify = "Nullify"
    case cascade = "Cascade"
    case deny = "Deny"
    case noAction = "No Action"
  }

  public var name: String
  /// The entity that it leads to.
  public var destination: String
  /// The relationship of the destination, or of one of its parents, that leads back.
  public var inverse: String?
  public var cardinality: Cardinality
  public var isOptional: Bool
  public var isTransient: Bool
  /// As the XML writes it; the version hash needs to know what was written.
  public var minimumCount: Int?
  /// As the XML writes it.
  public var maximumCount: Int?
  /// A to-one relationship that is marked as ordered all the same: it means nothing, but is part of the hash.
  public var isOrderedToOne: Bool
  public var deleteRule: DeleteRule
  public var isIndexed: Bool
  /// The XML's `elementID`.
  public var renamingIdentifier: String?
  public var versionHashModifier: String?
  public var userInfo: [String: String]

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

  public var isToMany: Bool {
    if case .toMany = cardinality { true } else { false }
  }

  public var isOrdered: Bool { cardinality == .toMany(ordered: true) }
}
