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
