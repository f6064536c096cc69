public import StorePredicate

/// A request that links each matching row of an entity to each matching row of a relationship's destination, or removes
/// such links.
///
///     BatchLink(
///       .link, entity: "Group", relationship: "members",
///       where: try FormatPredicate(parsing: "name == 'Choir'"),
///       to: try FormatPredicate(parsing: "city.name == 'Zürich'"))
public struct BatchLink: Hashable, Sendable {
  /// The effect of a request.
  public enum Kind: Hashable, Sendable {
    /// `link` creates links, and `unlink` removes them.
    case link, unlink
  }

  /// Whether links are created or removed.
  public var kind: Kind
  /// The entity that declares or inherits the relationship.
  public var entity: String
  /// The name of a to-one or to-many relationship.
  public var relationship: String
  /// The predicate of the rows of `entity`. If it is nil, all rows match.
  public var sources: FormatPredicate?
  /// The predicate of the rows of the destination. If it is nil, all rows match.
  public var destinations: FormatPredicate?
  /// The number of members before the new ones in an ordered relationship. If it is nil, new members are appended.
  public var position: Int?
  /// The order of the new members in an ordered relationship. Equal members are ordered by their primary keys.
  public var sort: [SortKey]

  /// Creates a request that links or unlinks rows.
  ///
  /// - Parameters:
  ///   - kind: Whether links are created or removed.
  ///   - entity: The entity that declares or inherits the relationship.
  ///   - relationship: The name of the relationship.
  ///   - sources: The predicate of the rows of `entity`. If it is nil, all rows match.
  ///   - destinations: The predicate of the rows of the destination. If it is nil, all rows match.
  ///   - position: The number of members before the new ones in an ordered relationship. If it is nil, new members are
  ///     appended.
  ///   - sort: The order of the new members in an ordered relationship.
  public init(
    _ kind: Kind, entity: String, relationship: String, where sources: FormatPredicate? = nil,
    to destinations: FormatPredicate? = nil, at position: Int? = nil, sort: [SortKey] = []
  ) {
    self.kind = kind
    self.entity = entity
    self.relationship = relationship
    self.sources = sources
    self.destinations = destinations
    self.position = position
    self.sort = sort
  }
}

/// The result of a request that links or unlinks rows.
public struct LinkResult: Hashable, Sendable {
  /// The number of matching rows of the entity.
  public var matchedSources: Int
  /// The number of matching rows of the destination.
  public var matchedDestinations: Int
  /// The number of pairs that were linked or unlinked. Pairs that already had the requested state don't count. If the
  /// relationship is its own inverse, (a, b) and (b, a) count once.
  public var changed: Int
  /// The number of rows of the entity in changed pairs.
  public var changedSources: Int
  /// The number of rows of the destination in changed pairs.
  public var changedDestinations: Int
  /// The number of matching pairs that didn't have the requested state. In contrast to `changed`, (a, b) and (b, a)
  /// always count as two pairs.
  public var newPairs: Int
  /// The number of previous links that were removed, because one of their rows can be linked to only one row.
  public var replaced: Int
  /// The number of changed pairs that link a row to itself.
  public var loops: Int

  /// Creates a result. Each argument sets the property with the same name.
  public init(
    matchedSources: Int, matchedDestinations: Int, changed: Int = 0, changedSources: Int = 0,
    changedDestinations: Int = 0, newPairs: Int = 0, replaced: Int = 0, loops: Int = 0
  ) {
    self.matchedSources = matchedSources
    self.matchedDestinations = matchedDestinations
    self.changed = changed
    self.changedSources = changedSources
    self.changedDestinations = changedDestinations
    self.newPairs = newPairs
    self.replaced = replaced
    self.loops = loops
  }
}
