public import StorePredicate

/// A request that deletes rows.
public struct BatchDelete: Hashable, Sendable {
  /// The treatment of rows that refer to deleted rows.
  public enum Rules: String, Hashable, Sendable, CaseIterable {
    /// The delete rules of the model, as applied by Core Data on save.
    case model
    /// Only the matching rows are deleted. Rows that refer to them remain unchanged.
    case none
  }

  /// The name of the entity.
  public var entity: String
  /// The predicate of the rows to delete. If it is nil, all rows are deleted.
  public var predicate: FormatPredicate?
  /// Whether rows of sub-entities are deleted, too.
  public var includesSubentities: Bool
  /// The treatment of rows that refer to deleted rows.
  public var rules: Rules

  /// Creates a request that deletes rows. Each argument sets the property with the same name.
  public init(
    entity: String, predicate: FormatPredicate? = nil, includesSubentities: Bool = true,
    rules: Rules = .model
  ) {
    self.entity = entity
    self.predicate = predicate
    self.includesSubentities = includesSubentities
    self.rules = rules
  }
}
