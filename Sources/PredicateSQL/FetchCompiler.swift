package import SQLiteAccess
package import StoreLayout
package import StoreModel
package import StorePredicate

/// Creates the SELECT of a fetch request, clause by clause.
package struct FetchCompiler {
  package var request: CheckedRequest
  package var compiler: PredicateCompiler
  package var list = SelectList()
  /// The part that is being compiled, for the location of an error.
  package var part: KeyPath<RequestTexts, PredicateText?>?

  /// - Parameter request: a request that has been checked against the layout's model.
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

  /// Returns the query that counts rows, groups or distinct rows. If possible, it has no
  /// subquery. Without conditions, SQLite then counts the entries of the smallest index.
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

  /// Returns the conditions for rows. The caller joins them with AND.
  package mutating func conditions() throws(CheckError) -> [SQL] {
    var conditions: [SQL] = []
    if let restriction = entityRestriction { conditions.append(restriction) }
    if let membership = request.membership { conditions.append(try isMember(by: membership)) }
    part = \.predicate
    if let predicate = request.predicate, predicate != .constant(true) {
      compiler.asksManyRows = request.membership == nil && !findsFewRows(predicate)
      let condition = try compiler.condition(predicate)
      compiler.asksManyRows = false
      let isOr = if case .or = predicate { true } else { false }
      conditions.append(isOr && !conditions.isEmpty ? "(\(condition))" : condition)
    }
    return conditions
  }

  /// Returns the clauses WHERE, GROUP BY and HAVING that the request requires, each with a leading space.
  private mutating func clauses() throws(CheckError) -> SQL {
    var sql = try conditions().whereClause
    guard !request.groupBy.isEmpty else { return sql }
    part = \.groupBy
    let keys = try request.groupBy.map { key throws(CheckError) in try compiler.operand(key).sql }
    sql += " GROUP BY \(keys.joined(", "))"
    if let having = request.having {
      part = \.having
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
    // SQLite doesn't accept OFFSET without LIMIT. A negative limit is unlimited.
    case (let limit, let offset):
      " LIMIT \(.number(Int64(limit ?? -1))) OFFSET \(.number(Int64(offset)))"
    }
  }
}

extension FetchCompiler {
  /// Returns whether the expression contains an aggregate of the rows, such as `sum(price)` or `max(price) - 1`.
  package func folds(_ expression: TypedExpression) -> Bool {
    expression.aggregateOfRows != nil
  }

  /// Throws an error unless the expression has one value for all rows of a group. This is the case for constants, the
  /// keys of the group, values that depend on the keys, aggregates, and combinations of these.
  func requireGrouped(_ expression: TypedExpression, named name: String) throws(CheckError) {
    guard !hasOneValue(expression) else { return }
    throw CheckError(.notGrouped(name, keyPath: expression.writtenKeyPath), at: expression.range)
  }

  func requireGrouped(_ predicate: TypedPredicate) throws(CheckError) {
    switch predicate {
    case .constant: return
    case .not(let negated): try requireGrouped(negated)
    case .and(let members), .or(let members):
      for member in members { try requireGrouped(member) }
    case .comparison(let comparison):
      for side in [comparison.left, comparison.right] where !hasOneValue(side) {
        throw CheckError(
          .notGrouped(side.expression.format, keyPath: side.writtenKeyPath), at: side.range)
      }
    }
  }

  private func hasOneValue(_ expression: TypedExpression) -> Bool {
    if expression.isAggregateOfRows { return true }
    if request.groupBy.contains(where: { expression == $0 || expression.follows(from: $0) }) {
      return true
    }
    switch expression.kind {
    case .keyPath, .untypedKeyPath, .selfObject, .variable, .subquery: return false
    case .constant: return true
    case .list, .arithmetic, .negated, .function, .method, .cast, .ternary, .set, .element:
      return expression.parts.allSatisfy { hasOneValue($0) }
    }
  }
}

extension TypedExpression {
  /// Returns whether the key determines the expression, as `list` determines `list.title`.
  fileprivate func follows(from key: TypedExpression) -> Bool {
    guard case .keyPath(let base, let keys, _) = kind,
      case .keyPath(let groupBase, let groupKeys, _) = key.kind, base == groupBase
    else { return false }
    return keys.starts(with: groupKeys)
  }
}

extension FetchCompiler {
  /// Returns ORDER BY with a leading space.
  ///
  /// SQLite's order equals Core Data's: NULL comes first in ascending order, and text is ordered by code point. Rows
  /// with equal sort keys are ordered by primary key or, in an ordered relationship, by position, so that requests with
  /// different offsets don't return the same row of an unchanged store. Groups are ordered by their keys, and distinct
  /// rows by their values.
  package mutating func order(isDistinct: Bool) throws(CheckError) -> SQL {
    var terms: [SQL] = []
    let isGrouped = !request.groupBy.isEmpty
    part = \.sort
    for key in sortKeys {
      if isGrouped { try requireGrouped(key.expression, named: key.expression.expression.format) }
      compiler.allowsAggregates = isGrouped
      let value = try compiler.operand(key.expression).sql
      terms.append(key.isAscending ? value : "\(value) DESC")
    }
    compiler.allowsAggregates = false
    if isGrouped {
      for key in request.groupBy { terms.append(try compiler.operand(key).sql) }
    } else if isDistinct {
      terms += list.columns.map { Self.ordinal($0.source) }
    } else if !foldsEverything {
      if let place = try memberPlace { terms.append(place) }
      terms.append(compiler.root.key)
    }
    return terms.isEmpty ? "" : " ORDER BY \(terms.joined(", "))"
  }

  /// The sort keys. If the request has sections, the first key is the section. It is ascending, unless the request
  /// itself begins with the section as a descending key.
  package var sortKeys: [CheckedRequest.SortKey] {
    guard let sections = request.sections, request.sort.first?.expression != sections else {
      return request.sort
    }
    return [.init(expression: sections, isAscending: true)] + request.sort
  }

  /// Whether the result of a request without groups is a single row, which doesn't require an order.
  private var foldsEverything: Bool {
    guard case .values(let values) = request.result else { return false }
    return values.contains { folds($0.expression) }
  }

  /// Returns a column of the SELECT as its number for ORDER BY, which counts from 1.
  private static func ordinal(_ source: ResultColumn.Source) -> SQL {
    switch source {
    case .value(let index, _), .objectID(let index, _), .objectIDs(let index):
      SQL(segments: [.text("\(index + 1)")])
    }
  }
}

extension FetchCompiler {
  /// Returns the condition that a row is a member of the relationship.
  func isMember(by membership: Membership) throws(CheckError) -> SQL {
    let (members, owner) = try members(membership)
    switch members {
    case .column(let foreign):
      return "\(.name(rootAlias, foreign.column)) = \(owner)"
    case .joinTable(let pairs):
      return """
        \(compiler.root.key) IN (SELECT \(name: pairs.destinationColumn) \
        FROM \(name: pairs.table) WHERE \(name: pairs.sourceColumn) = \(owner))
        """
    }
  }

  /// The SQL of the row's position; nil if the request isn't for the members of an ordered relationship.
  package var memberPlace: SQL? {
    get throws(CheckError) {
      guard let membership = request.membership else { return nil }
      let (members, owner) = try members(membership)
      guard let place = members.orderColumn else { return nil }
      switch members {
      case .column: return .name(rootAlias, place)
      case .joinTable(let pairs):
        return """
          (SELECT \(name: place) FROM \(name: pairs.table) \
          WHERE \(name: pairs.sourceColumn) = \(owner) \
          AND \(name: pairs.destinationColumn) = \(compiler.root.key))
          """
      }
    }
  }

  private var rootAlias: String { compiler.root.alias ?? entity.table }

  /// Returns the layout of the relationship and the SQL of its owner's key.
  private func members(
    _ membership: Membership
  ) throws(CheckError) -> (ToManyLayout, owner: SQL) {
    let owner = membership.owner
    var key = SQL.number(compiler.key(of: owner))
    var place = try compiler.context.entity(named: owner.entity)
    for name in membership.path.dropLast() {
      guard let column = place.toOne[name] else { throw Self.unknown(name, place) }
      key = """
        (SELECT \(name: column.column) FROM \(name: place.table) \
        WHERE \(name: FixedColumn.primaryKey) = \(key))
        """
      place = try compiler.context.entity(named: column.destination)
    }
    let last = membership.path.last ?? ""
    guard let members = place.toMany[last] else { throw Self.unknown(last, place) }
    return (members, key)
  }

  private static func unknown(_ name: String, _ place: EntityLayout) -> CheckError {
    CheckError(
      .unknownProperty(
        name, entity: place.name,
        known: (Array(place.toOne.keys) + place.toMany.keys).sorted()))
  }
}
