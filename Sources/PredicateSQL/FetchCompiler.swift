package import StoreLayout
package import SQLiteAccess
package import StoreModel
import StorePredicate

/// Builds the SELECT of one fetch request, clause by clause.
package struct FetchCompiler {
  package var request: CheckedRequest
  package var compiler: PredicateCompiler
  package var list = SelectList()
  /// The part that is being compiled, for the place of an error.
  package var part: RequestTexts.Part?

  /// - Parameter request: checked against the layout's model.
  package init(
    _ request: CheckedRequest, of entity: EntityLayout, in layout: StoreLayout, storeUUID: String?
  ) {
    self.request = request
    compiler = PredicateCompiler(layout: layout, entity: entity, storeUUID: storeUUID)
  }

  package var entity: EntityLayout { compiler.root.entity }

  package mutating func compile() throws(CheckError) -> CompiledQuery {
    guard request.having == nil || !request.groupBy.isEmpty else {
      throw CheckError(.havingWithoutGroups)
    }
    switch request.result {
    case .count: return try count()
    case .rows:
      guard request.groupBy.isEmpty else { throw CheckError(.groupedRows) }
      try selectSection()
      try selectRow()
    case .objectIDs:
      guard request.groupBy.isEmpty else { throw CheckError(.groupedRows) }
      selectObjectID(of: compiler.root, named: "objectID", isOnlyEntity: onlyEntity)
    case .values(let values):
      try selectSection()
      try select(values)
    }
    let isDistinct = request.isDistinct && request.result != .objectIDs
    let tail = try clauses() + order(isDistinct: isDistinct) + window
    let distinct: SQL = isDistinct ? "DISTINCT " : ""
    let sql: SQL = "SELECT \(distinct)\(list.sql) FROM \(compiler.context.mainSource)\(tail)"
    return CompiledQuery(sql: sql, columns: list.columns)
  }

  // MARK: COUNT

  /// Rows, groups, or distinct rows. The bare form is the fastest that SQLite has: it counts the
  /// entries of the smallest index.
  private mutating func count() throws(CheckError) -> CompiledQuery {
    let columns = [ResultColumn(name: "count", source: .value(0, .integer64))]
    let isOfDistinctRows = request.isDistinct && request.groupBy.isEmpty
    if isOfDistinctRows { try selectRow() }
    let tail = try clauses()
    let source = compiler.context.mainSource
    let isBare =
      request.groupBy.isEmpty && !request.isDistinct && request.limit == nil && request.offset == 0
    if isBare {
      return CompiledQuery(sql: "SELECT COUNT(*) FROM \(source)\(tail)", columns: columns)
    }
    let inner: SQL = isOfDistinctRows ? "DISTINCT \(list.sql)" : "1"
    let sql: SQL = "SELECT COUNT(*) FROM (SELECT \(inner) FROM \(source)\(tail)\(window))"
    return CompiledQuery(sql: sql, columns: columns)
  }

  // MARK: Clauses

  /// What rows must satisfy, to be joined with AND.
  package mutating func conditions() throws(CheckError) -> [SQL] {
    var conditions: [SQL] = []
    if let restriction = entityRestriction { conditions.append(restriction) }
    if let membership = request.membership { conditions.append(try isMember(by: membership)) }
    part = .predicate
    if let predicate = request.predicate, predicate != .constant(true) {
      compiler.asksManyRows = request.membership == nil && !findsFewRows(predicate)
      let condition = try compiler.condition(predicate)
      compiler.asksManyRows = false
      let isOr = if case .or = predicate { true } else { false }
      conditions.append(isOr && !conditions.isEmpty ? "(\(condition))" : condition)
    }
    return conditions
  }

  /// WHERE, GROUP BY and HAVING, each with a blank before it.
  private mutating func clauses() throws(CheckError) -> SQL {
    let conditions = try conditions()
    var sql: SQL = conditions.isEmpty ? "" : " WHERE \(conditions.joined(" AND "))"
    guard !request.groupBy.isEmpty else { return sql }
    part = .groupBy
    var keys: [SQL] = []
    for key in request.groupBy { keys.append(try compiler.operand(key).sql) }
    sql += " GROUP BY \(keys.joined(", "))"
    if let having = request.having {
      part = .having
      try requireGrouped(having)
      compiler.allowsAggregates = true
      sql += " HAVING \(try compiler.condition(having))"
      compiler.allowsAggregates = false
    }
    return sql
  }

  private var window: SQL {
    switch (request.limit, request.offset) {
    case (nil, 0): ""
    case (let limit?, 0): " LIMIT \(.number(Int64(limit)))"
    // SQLite has no OFFSET without LIMIT; a negative one is none.
    case (let limit, let offset):
      " LIMIT \(.number(Int64(limit ?? -1))) OFFSET \(.number(Int64(offset)))"
    }
  }
}
