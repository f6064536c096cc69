import PredicateSQL
import SampleData
import SQLiteAccess
import StoreDiagnostics
import StoreModel
import StorePredicate

/// Compares the results of the store and the evaluator for the same objects.
struct BackendComparison {
  enum Answer {
    case same(found: Int, of: Int)
    /// The predicate doesn't fit the model. The value is the code of the reason.
    case refused(String)
    /// Both sides fail with an error.
    case unanswered
    case different
  }

  /// Primary keys, or the error.
  private typealias Keys = Result<[Int64], any Error>

  let graph: SampleGraph
  private let database: MemoryDatabase
  private let objects: [String: [SampleGraphObject]]

  init(_ graph: SampleGraph) throws {
    self.graph = graph
    database = try graph.makeDatabase()
    objects = Dictionary(
      uniqueKeysWithValues: SampleGraph.entities.map { ($0, graph.objects(of: $0)) })
  }

  func answer(_ predicate: FormatPredicate, of entity: String) -> Answer {
    let checked: FormatPredicate
    do {
      checked = try check(predicate, of: entity)
    } catch let failure as CheckErrors {
      return .refused(failure.diagnostics.first?.code ?? "")
    } catch {
      return .different
    }
    switch (store(predicate, of: entity), memory(checked, of: entity)) {
    case (.success(let stored), .success(let found)) where stored == found:
      return .same(found: found.count, of: objects[entity]?.count ?? 0)
    case (.failure(let error), .failure) where !(error is CheckErrors): return .unanswered
    default: return .different
    }
  }

  func differs(_ predicate: FormatPredicate, of entity: String) -> Bool {
    if case .different = answer(predicate, of: entity) { true } else { false }
  }

  /// Returns a description of the predicate, its SQL and both results.
  func explanation(of predicate: FormatPredicate, of entity: String) -> String {
    let checked = Result { try check(predicate, of: entity) }.flatMap { memory($0, of: entity) }
    let sql = Result { try compile(predicate, of: entity).rendered() }
    return """
      \(predicate.format)
      \(sql)
      store  \(store(predicate, of: entity))
      memory \(checked)
      """
  }

  private func check(_ predicate: FormatPredicate, of entity: String) throws -> FormatPredicate {
    try PredicateChecker(model: SampleGraph.model, entity: entity).check(predicate).predicate
  }

  private func compile(_ predicate: FormatPredicate, of entity: String) throws -> SQL {
    try StoreFetchRequest(entity: entity, predicate: predicate, result: .objectIDs)
      .sql(in: SampleGraph.layout, storeUUID: SampleGraph.storeUUID).sql
  }

  private func store(_ predicate: FormatPredicate, of entity: String) -> Keys {
    Result {
      let sql = try compile(predicate, of: entity)
      return try database.inside { connection in
        try connection.rows(sql).compactMap { row in
          if case .integer(let key) = row[0] { key } else { nil }
        }
      }
    }
  }

  private func memory(_ predicate: FormatPredicate, of entity: String) -> Keys {
    var evaluator = PredicateEvaluator(nulls: .sql)
    evaluator.object = { [graph] in graph.object($0) }
    return Result {
      try (objects[entity] ?? []).filter { try evaluator.matches(predicate, .object($0)) }
        .map(\.content.primaryKey)
    }
  }
}
