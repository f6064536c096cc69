import PredicateSQL
import SQLiteAccess
import StoreCore
import StoreModel

/// The facts of `explain`.
enum ExplanationFacts {
  /// - Throws: `CheckErrors`, `DatabaseError`
  static func page(of prepared: PreparedRequest, in store: OpenStore) throws -> Facts {
    let query = try prepared.query(in: store)
    return try page(of: query.sql, in: store)
  }

  /// How rows of an entity are written: the statement that each row runs, and those at the end.
  static func page(ofInsertionInto entity: String, in store: OpenStore) throws -> Facts {
    try page(of: InsertPlan(entity: entity, in: store.layout).insertion, in: store)
  }

  /// The statement that changes the rows, or that finds those to be changed; then all of them.
  static func page(of plan: UpdatePlan, in store: OpenStore) throws -> Facts {
    let strategy = try store.store.strategy(for: plan)
    return try page(of: plan.search, then: strategy.statements(of: plan), in: store)
  }

  private static func page(
    of statement: SQL, then statements: [SQL] = [], in store: OpenStore
  ) throws -> Facts {
    let explanation = try store.store.read { connection in
      try Explanation(statement, in: store.layout, on: connection)
    }
    var page = FactObject()
    page.add("sql", explanation.sql)
    page.add("indexes", explanation.indexes)
    page.add("scans", explanation.steps.filter(\.isScan).map(\.detail))
    page.add("missingIndexes", explanation.missing.map(facts))
    page.add("advice", explanation.advised.map(advice))
    page.add("parameters", explanation.parameters.enumerated().map(facts))
    page.add("plan", explanation.steps.map(facts))
    if statements.count > 1 { page.add("statements", statements.map(\.literalText)) }
    return .page(page.value)
  }

  private static func facts(of parameter: (offset: Int, element: SQLiteValue)) -> FactObject {
    var object = FactObject()
    object.add("parameter", "?\(parameter.offset + 1)")
    object.add("value", parameter.element.literal)
    return object
  }

  private static func advice(on index: Explanation.AdvisedIndex) -> String {
    """
    \(index.table) has more than \(Explanation.largeTableRows.grouped) rows and is read whole; a fetch \
    index on '\(index.property)' of '\(index.entity)' in the model would prevent that
    """
  }

  private static func facts(of step: Explanation.Step) -> FactObject {
    var object = FactObject()
    object.add("step", String(repeating: "  ", count: step.depth) + step.detail)
    object.add("index", step.index)
    return object
  }

  private static func facts(of index: Explanation.MissingIndex) -> FactObject {
    var object = FactObject()
    object.add("name", index.name)
    object.add("table", index.table)
    object.add("statement", index.statement)
    return object
  }
}
