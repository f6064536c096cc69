public import StorePredicate

/// Which rows to delete, as a value, and what becomes of the rows around them.
public struct BatchDelete: Hashable, Sendable {
  public enum Rules: String, Hashable, Sendable, CaseIterable {
    /// The model's delete rules, as Core Data applies them when it saves.
    case model
    /// Only the rows go; what refers to them is left as it is.
    case none
  }

  public var entity: String
  /// Nil is every row.
  public var predicate: FormatPredicate?
  public var includesSubentities: Bool
  public var rules: Rules

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
