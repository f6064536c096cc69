package import StoreEngine

/// The numbers of rows that differ between two stores, by entity, and of changed values, by property.
public struct ComparisonSummary: Hashable, Sendable {
  /// The compared entities.
  public package(set) var entities: [EntityCounts] = []
  /// The entities and properties that weren't compared.
  public package(set) var omitted: [OmittedPart] = []
  /// Rows that weren't compared, because their entity number doesn't belong in their table.
  package var strayRows: [StrayRows] = []
  /// The number of large values that were treated as missing, because their files can't be read.
  public package(set) var unreadableValueCount = 0

  package init(entities: [EntityCounts] = [], omitted: [OmittedPart] = []) {
    self.entities = entities
    self.omitted = omitted
  }

  /// The numbers of rows of one entity.
  public struct EntityCounts: Hashable, Sendable {
    /// The name of the entity.
    public package(set) var entity: String
    /// How the rows of the two stores were matched.
    public package(set) var matching: RowMatching
    /// The number of rows in the older store. It is 0 if a history was read.
    public package(set) var oldRows = 0
    /// The number of rows in the newer store. It is 0 if a history was read.
    public package(set) var newRows = 0
    /// The number of rows that only the newer store has.
    public package(set) var added = 0
    /// The number of rows that only the older store has.
    public package(set) var removed = 0
    /// The number of rows that both stores have, with different values.
    public package(set) var changed = 0
    /// The number of rows without a complete key. They count as removed if they are in the older store, and as added if
    /// they are in the newer store.
    public package(set) var withoutKey = 0
    /// For each property, the number of rows in which it differs. Properties without differences may be missing.
    public package(set) var properties: [PropertyCount] = []

    /// The number of added, removed and changed rows.
    public var differences: Int { added + removed + changed }

    package init(entity: String, matching: RowMatching) {
      self.entity = entity
      self.matching = matching
    }
  }

  /// The number of rows in which a property differs.
  public struct PropertyCount: Hashable, Sendable {
    /// The name of the property.
    public package(set) var property: String
    /// The number of rows.
    public package(set) var changed: Int
  }

  /// The number of added, removed and changed rows of all entities.
  public var differences: Int { entities.reduce(0) { $0 + $1.differences } }
  /// The number of rows that weren't compared, because their entity number doesn't belong in their table.
  public var strayRowCount: Int64 { strayRows.reduce(0) { $0 + $1.count } }
}
