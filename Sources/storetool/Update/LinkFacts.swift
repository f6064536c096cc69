import StoreCore
import RecordFormats
import StoreModel
import SQLiteAccess

/// The output of `link` and `unlink`, such as `{"matchedSources": 1, "matchedDestinations": 15, "linked": 12, …}`.
struct LinkFacts: Encodable {
  let matchedSources, matchedDestinations: Int
  @OmittedIfNil var linked: Int?
  @OmittedIfNil var unlinked: Int?
  let changedSources, changedDestinations: Int
  /// The number of previous links that new links replaced.
  @OmittedIfNil var replaced: Int?
  /// The number of rows that `link` linked to themselves.
  @OmittedIfNil var loops: Int?

  init(_ outcome: LinkResult, _ plan: LinkPlan) {
    let isLink = plan.kind == .link
    matchedSources = outcome.matchedSources
    matchedDestinations = outcome.matchedDestinations
    linked = isLink ? outcome.changed : nil
    unlinked = isLink ? nil : outcome.changed
    changedSources = outcome.changedSources
    changedDestinations = outcome.changedDestinations
    replaced = isLink ? outcome.replaced : nil
    loops = isLink ? outcome.loops : nil
  }
}

/// The output of `explain link` and `explain unlink`: the queries that find the rows to link and their destinations,
/// then all statements in order.
struct LinkExplanation: Encodable {
  let searches: [Search]
  let plan: [Step]
  let statements: [String]

  struct Search: Encodable {
    let rows, sql: String
    let parameters, indexes, missingIndexes: [String]
  }

  struct Step: Encodable {
    let rows: String
    @Flattened var step: ExplanationStep
  }

  /// - Throws: `DatabaseError` if a query can't be explained.
  init(of plan: LinkPlan, in store: OpenStore) throws {
    let sides = try store.store.read { connection in
      try plan.searches.map { entity, rows in
        (entity, try Explanation(rows, in: store.layout, on: connection))
      }
    }
    searches = sides.map { entity, explanation in
      Search(
        rows: entity, sql: explanation.sql, parameters: explanation.parameters.map(\.literal),
        indexes: explanation.indexes, missingIndexes: explanation.missing.map(\.statement))
    }
    self.plan = sides.flatMap { entity, explanation in
      explanation.steps.map { Step(rows: entity, step: .init($0)) }
    }
    statements = (plan.matching + plan.finding + plan.changes).map(\.literalText)
  }
}

struct ExplanationStep: Encodable {
  let step: String
  let index: String?

  init(_ step: Explanation.Step) {
    self.step = String(repeating: "  ", count: step.depth) + step.detail
    index = step.index
  }
}
