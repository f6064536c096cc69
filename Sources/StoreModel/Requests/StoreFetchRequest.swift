public import StorePredicate

/// A request that fetches rows, or values of rows.
public struct StoreFetchRequest: Hashable, Sendable {
  /// The form of the results.
  public enum Result: Hashable, Sendable {
    /// Stored attributes, sorted by name, followed by to-one relationships as object IDs, sorted by name.
    case rows
    /// The number of rows.
    case count
    /// The object IDs of the rows.
    case objectIDs
    /// Selected values, which can be aggregates.
    case values([SelectedValue])
  }

  /// The name of the entity.
  public var entity: String
  /// The predicate of the rows. If it is nil, all rows match.
  public var predicate: FormatPredicate?
  /// A predicate that a user adds to a template. It is combined with `predicate` by AND, but checked separately.
  package var refinement: FormatPredicate?
  /// The relationship whose members are fetched. If the request doesn't specify an order, the members of an ordered
  /// relationship have its order.
  package var membership: Membership?
  /// The order of the rows.
  public var sort: [SortKey]
  /// The maximum number of rows, or nil for any number.
  public var limit: Int?
  /// The number of rows to skip.
  public var offset: Int
  /// Whether rows of sub-entities are fetched, too.
  public var includesSubentities: Bool
  /// The form of the results.
  public var result: Result
  /// The expressions by which rows are grouped.
  public var groupBy: [FormatExpression]
  /// The predicate of the groups, which may contain aggregates.
  public var having: FormatPredicate?
  /// Whether equal results are returned only once.
  public var isDistinct: Bool
  /// The key path whose values are the names of sections. Rows are first sorted by it.
  public var sections: FormatExpression?

  /// Creates a request. Each argument sets the property with the same name.
  public init(
    entity: String, predicate: FormatPredicate? = nil, sort: [SortKey] = [], limit: Int? = nil,
    offset: Int = 0, includesSubentities: Bool = true, result: Result = .rows,
    groupBy: [FormatExpression] = [], having: FormatPredicate? = nil, isDistinct: Bool = false,
    sections: FormatExpression? = nil
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
    self.offset = offset
    self.includesSubentities = includesSubentities
    self.result = result
    self.groupBy = groupBy
    self.having = having
    self.isDistinct = isDistinct
    self.sections = sections
  }
}

/// The members of a to-many relationship of one row.
package struct Membership: Hashable, Sendable {
  package var owner: ObjectID
  /// The relationships from the owner: any number of to-one relationships, followed by the to-many relationship.
  package var path: [String]
}

/// An expression by which rows are sorted, and a direction.
public struct SortKey: Hashable, Sendable {
  /// The expression by which rows are sorted.
  public var expression: FormatExpression
  /// Whether the smallest value is first.
  public var isAscending: Bool

  /// Creates a sort key.
  ///
  /// - Parameters:
  ///   - expression: The expression by which rows are sorted.
  ///   - isAscending: Whether the smallest value is first.
  public init(_ expression: FormatExpression, isAscending: Bool = true) {
    self.expression = expression
    self.isAscending = isAscending
  }
}

/// A selected value of each row, with its name.
public struct SelectedValue: Hashable, Sendable {
  /// The expression of the value.
  public var expression: FormatExpression
  /// The key of the value in the output: the text of the expression, or the name after `AS`.
  public var name: String

  /// Creates a selected value from its expression and its name.
  public init(_ expression: FormatExpression, name: String) {
    self.expression = expression
    self.name = name
  }
}

extension StoreFetchRequest {
  /// Creates the request of a template.
  ///
  /// - Parameters:
  ///   - template: The template.
  ///   - predicate: The predicate of the template, with values in place of its variables.
  public init(_ template: FetchRequestTemplate, predicate: FormatPredicate?) {
    let result: Result =
      switch template.resultType {
      case .objects, .dictionaries: .rows
      case .objectIDs: .objectIDs
      case .count: .count
      }
    self.init(
      entity: template.entity, predicate: predicate,
      limit: template.limit == 0 ? nil : template.limit,
      includesSubentities: template.includesSubentities, result: result,
      // Objects are never duplicates. Only rows of values can be equal.
      isDistinct: template.returnsDistinctResults && template.resultType == .dictionaries)
  }
}
