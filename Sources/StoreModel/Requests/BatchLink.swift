public import StorePredicate

/// Links between all rows of two sides that match, made or ended, as a value.
///
///     BatchLink(
///       .link, entity: "Group", relationship: "members",
///       where: try FormatPredicate(parsing: "name == 'Choir'"),
///       to: try FormatPredicate(parsing: "city.name == 'Zürich'"))
public struct BatchLink: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case link, unlink
  }

  public var kind: Kind
  /// The entity that has the relationship, or one that inherits it.
  public var entity: String
  /// To-one or to-many.
  public var relationship: String
  /// Over rows of the entity; nil is every row.
  public var sources: FormatPredicate?
  /// Over rows of the relationship's destination; nil is every row.
  public var destinations: FormatPredicate?
  /// In an ordered relationship how many members stand before the new ones; nil for all.
  public var position: Int?
  /// The order of the new members in an ordered relationship; what it does not tell, keys do.
  public var sort: [SortKey]

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

/// What a batch of links has done, or would do.
public struct LinkResult: Hashable, Sendable {
  /// Rows that match on the side of the entity that the relationship was named with, and among its destinations.
  public var matchedSources: Int
  public var matchedDestinations: Int
  /// Pairs of rows that were linked, or are not any more. Those that were as wanted already don't count.
  public var changed: Int
  /// Rows of each side that such pairs have.
  public var changedSources: Int
  public var changedDestinations: Int
  /// Pairs of matching rows that were not as wanted. Where a relationship is its own inverse, both directions count.
  public var newPairs: Int
  /// Links that ended because one of their rows can have one partner, and has got another one.
  public var replaced: Int
  /// Pairs that are one row twice.
  public var loops: Int

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
