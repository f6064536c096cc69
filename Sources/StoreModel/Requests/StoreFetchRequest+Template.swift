public import StorePredicate

extension StoreFetchRequest {
  /// What a template of the model asks for.
  ///
  /// - Parameter predicate: the template's own, with values in the place of its variables.
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
