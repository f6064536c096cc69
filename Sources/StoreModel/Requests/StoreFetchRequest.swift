public import StorePredicate

/// What to fetch, as a value: `Product`, where, sorted, limited, and in which form.
public struct StoreFetchRequest: Hashable, Sendable {
  public enum Result: Hashable, Sendable {
    /// Stored attributes by name, then to-one relationships by name as object IDs.
    case rows
    case count
    case objectIDs
    /// Chosen values: key paths and aggregates.
    case values([SelectedValue])
  }

  public var entity: String
  public var predicate: FormatPredicate?
  /// Joined with the predicate by AND, and checked by itself: what a user adds to a template.
  package var refinement: FormatPredicate?
  /// Only members of a relationship of one row; in their order, where nothing else is said.
  package var membership: Membership?
  public var sort: [SortKey]
  /// Nil is not a limit.
  public var limit: Int?
  public var offset: Int
  public var includesSubentities: Bool
  public var result: Result
  public var groupBy: [FormatExpression]
  /// Over the groups: may hold aggregates.
  public var having: FormatPredicate?
  public var isDistinct: Bool
  /// The key path whose values are section names; sorts first.
  public var sections: FormatExpression?

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
  /// The relationships on the way from the owner: to-one ones, then the to-many.
  package var path: [String]
}

/// One key of the order of rows.
public struct SortKey: Hashable, Sendable {
  public var expression: FormatExpression
  public var isAscending: Bool

  public init(_ expression: FormatExpression, isAscending: Bool = true) {
    self.expression = expression
    self.isAscending = isAscending
  }
}

/// One value of each row, under a name.
public struct SelectedValue: Hashable, Sendable {
  public var expression: FormatExpression
  /// The key in the output: as typed, or what follows `AS`.
  public var name: String

  public init(_ expression: FormatExpression, name: String) {
    self.expression = expression
    self.name = name
  }
}

extension StoreFetchRequest {
  /// What a template of the model asks for.
  ///
  /// - Parameters:
  ///   - template: the template.
  ///   - predicate: the template's own, with values in the place of its variables.
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
      // Of objects there are no duplicates; only rows of values can be equal.
      isDistinct: template.returnsDistinctResults && template.resultType == .dictionaries)
  }
}
