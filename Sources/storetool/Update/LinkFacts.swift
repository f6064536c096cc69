import PredicateSQL
import StoreCore
import StoreModel
import SQLiteAccess

/// The facts of `link` and `unlink`, and of `explain` with them.
enum LinkFacts {
  /// `{"matchedSources": 1, "matchedDestinations": 15, "linked": 12, …}`
  static func counts(of outcome: LinkResult, _ plan: LinkPlan) -> FactObject {
    var page = FactObject()
    page.add("matchedSources", outcome.matchedSources)
    page.add("matchedDestinations", outcome.matchedDestinations)
    page.add(plan.kind == .link ? "linked" : "unlinked", outcome.changed)
    page.add("changedSources", outcome.changedSources)
    page.add("changedDestinations", outcome.changedDestinations)
    if plan.kind == .link {
      page.add("replaced", outcome.replaced)
      page.add("loops", outcome.loops)
    }
    return page
  }

  /// How the rows of both sides are found; then all statements, in their order.
  ///
  /// - Throws: `DatabaseError`
  static func explanation(of plan: LinkPlan, in store: OpenStore) throws -> Facts {
    let sides = try store.store.read { connection in
      try plan.searches.map { entity, rows in
        (entity, try Explanation(rows, in: store.layout, on: connection))
      }
    }
    var page = FactObject()
    page.add("searches", sides.map { search($0.0, $0.1) })
    page.add(
      "plan",
      sides.flatMap { entity, explanation in
        explanation.steps.map { step -> FactObject in
          var object = FactObject()
          object.add("rows", entity)
          object.add("step", String(repeating: "  ", count: step.depth) + step.detail)
          object.add("index", step.index)
          return object
        }
      })
    page.add("statements", (plan.matching + plan.finding + plan.changes).map(\.literalText))
    return .page(page.value)
  }

  private static func search(_ entity: String, _ explanation: Explanation) -> FactObject {
    var object = FactObject()
    object.add("rows", entity)
    object.add("sql", explanation.sql)
    object.add("parameters", explanation.parameters.map(\.literal))
    object.add("indexes", explanation.indexes)
    object.add("missingIndexes", explanation.missing.map(\.statement))
    return object
  }
}
