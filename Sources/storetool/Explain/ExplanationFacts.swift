import PredicateSQL
import RecordFormats
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
    return .page(
      Page(
        sql: explanation.sql, indexes: explanation.indexes,
        scans: explanation.steps.filter(\.isScan).map(\.detail),
        missingIndexes: explanation.missing.map {
          MissingIndex(name: $0.name, table: $0.table, statement: $0.statement)
        },
        advice: explanation.advised.map(advice),
        parameters: explanation.parameters.enumerated().map {
          Parameter(parameter: "?\($0.offset + 1)", value: $0.element.literal)
        },
        plan: explanation.steps.map(ExplanationStep.init),
        statements: statements.count > 1 ? statements.map(\.literalText) : nil))
  }

  private struct Page: Encodable {
    let sql: String
    let indexes, scans: [String]
    let missingIndexes: [MissingIndex]
    let advice: [String]
    let parameters: [Parameter]
    let plan: [ExplanationStep]
    @OmittedIfNil var statements: [String]?
  }

  private struct MissingIndex: Encodable { let name, table, statement: String }

  private struct Parameter: Encodable { let parameter, value: String }

  private static func advice(on index: Explanation.AdvisedIndex) -> String {
    """
    \(index.table) has more than \(Explanation.largeTableRows.grouped) rows and is read whole; a fetch \
    index on '\(index.property)' of '\(index.entity)' in the model would prevent that
    """
  }
}
