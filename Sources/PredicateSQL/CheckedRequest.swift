package import StoreLayout
package import StoreModel
import StorePredicate

/// A `StoreFetchRequest` that has been checked against the model, with typed predicates and expressions.
package struct CheckedRequest: Hashable {
  package enum Result: Hashable {
    case rows
    case count
    case objectIDs
    case values([Value])
  }

  /// A selected value with its name.
  package struct Value: Hashable {
    package var expression: TypedExpression
    var name: String
  }

  /// A sort key.
  package struct SortKey: Hashable {
    package var expression: TypedExpression
    package var isAscending: Bool
  }

  var entity: String
  package var predicate: TypedPredicate?
  var sort: [SortKey] = []
  package var limit: Int?
  package var offset = 0
  var includesSubentities = true
  package var result = Result.rows
  var groupBy: [TypedExpression] = []
  var having: TypedPredicate?
  var isDistinct = false
  package var sections: TypedExpression?
  var membership: Membership?

  /// Creates a request for the rows of an entity, without an order.
  package init(entity: String, predicate: TypedPredicate? = nil, includesSubentities: Bool = true) {
    self.entity = entity
    self.predicate = predicate
    self.includesSubentities = includesSubentities
  }

  /// Checks each part of a request. Later steps don't check it again.
  ///
  /// - Parameter texts: the texts of the parts, for the locations of errors.
  /// - Throws: `CheckErrors` if a part doesn't fit the model.
  init(
    _ request: StoreFetchRequest, in model: DataModel, _ texts: RequestTexts
  ) throws(CheckErrors) {
    guard model.entity(named: request.entity) != nil else {
      throw CheckErrors([
        CheckError(.unknownEntity(request.entity, known: model.entities.map(\.name)))
      ])
    }
    entity = request.entity
    limit = request.limit
    offset = request.offset
    includesSubentities = request.includesSubentities
    isDistinct = request.isDistinct
    membership = request.membership
    let rows = PredicateChecker(model: model, entity: request.entity)
    let groups = PredicateChecker(model: model, entity: request.entity, allowsAggregates: true)
    predicate = try request.predicate.map { predicate throws(CheckErrors) in
      try rows.check(predicate, in: texts.predicate).typed
    }
    if let refinement = request.refinement {
      let checked = try rows.check(refinement, in: texts.refinement).typed
      predicate = predicate?.and(checked) ?? checked
    }
    sections = try request.sections.map { sections throws(CheckErrors) in
      try rows.check(sections, in: texts.sections).typed
    }
    groupBy = try request.groupBy.map { key throws(CheckErrors) in
      try rows.check(key, in: texts.groupBy).typed
    }
    result = try Self.result(request.result, groups, texts)
    let columns = SelectedColumns(request.result)
    having = try request.having.map { having throws(CheckErrors) in
      try groups.check(try columns.resolve(having, in: texts.having), in: texts.having).typed
    }
    for key in request.sort {
      let expression =
        if let value = selectedValue(named: key.expression) { value } else {
          try groups.check(
            try columns.resolveVariables(of: key.expression, in: texts.sort), in: texts.sort
          ).typed
        }
      sort.append(SortKey(expression: expression, isAscending: key.isAscending))
    }
  }

  private static func result(
    _ result: StoreFetchRequest.Result, _ checker: PredicateChecker, _ texts: RequestTexts
  ) throws(CheckErrors) -> Result {
    switch result {
    case .rows: return .rows
    case .count: return .count
    case .objectIDs: return .objectIDs
    case .values(let values):
      return .values(
        try values.map { value throws(CheckErrors) in
          let expression = try checker.check(value.expression, in: texts.select).typed
          return Value(expression: expression, name: value.name)
        })
    }
  }

  /// Returns the selected value to which a sort key refers by name, such as `sum(price) AS total` for `total`.
  private func selectedValue(named expression: FormatExpression) -> TypedExpression? {
    guard case .values(let selected) = result, let name = expression.ownKey else { return nil }
    return selected.first { $0.name == name }?.expression
  }
}

extension CheckedRequest {
  /// Calls `compile` with a compiler for the request and returns the result of `compile`.
  package func compiled<Result>(
    in layout: StoreLayout, _ storeUUID: String?, _ texts: RequestTexts,
    _ compile: (inout FetchCompiler) throws(CheckError) -> Result
  ) throws(CheckErrors) -> Result {
    guard let place = layout.entity(named: entity) else {
      throw CheckErrors([CheckError(.unknownEntity(entity, known: layout.entities.map(\.name)))])
    }
    var compiler = FetchCompiler(self, of: place, in: layout, storeUUID: storeUUID)
    do throws(CheckError) {
      return try compile(&compiler)
    } catch {
      throw CheckErrors([error], in: compiler.part.flatMap { texts[keyPath: $0] })
    }
  }
}

extension TypedPredicate {
  /// Returns the conjunction. If this predicate is already a conjunction, `other` becomes a member of it.
  fileprivate func and(_ other: TypedPredicate) -> TypedPredicate {
    guard case .and(let members) = self else { return .and([self, other]) }
    return .and(members + [other])
  }
}
