import SQLiteAccess
package import StoreLayout
import StoreModel
import StorePredicate

/// Compiles typed predicates and expressions to SQL conditions and values. The predicates already contain the types and
/// the resolved key paths, so the compiler doesn't look them up in the model.
///
/// NULL follows SQL's logic: a comparison with NULL is neither true nor false. As in Core Data's own SQLite store,
/// neither `x != 'a'` nor `NOT x != 'a'` matches a row whose x is NULL. To-many relationships are searched with
/// sub-selects, so each row is returned at most once. `docs/formats/predicate-sql.md` shows the SQL of each construct.
package struct PredicateCompiler {
  package var context: SQLContext
  package let layout: StoreLayout
  /// The store's UUID, or nil to accept object IDs of all stores. Object IDs of another store don't match any row.
  package let storeUUID: String?
  /// The row for which the predicate is evaluated.
  package let root: RowReference
  /// The members that the variables of the enclosing SUBQUERYs refer to, by the variable's name.
  package var variables: [String: Operand] = [:]
  /// Whether the predicate is evaluated for many rows, so that sub-selects that don't depend on a row should be
  /// computed once.
  var asksManyRows = false
  /// Whether the current condition is inside of NOT, where NULL isn't equivalent to false.
  private(set) var isUnderNot = false
  /// Whether functions such as `sum(price)` can aggregate the fetched rows.
  package var allowsAggregates = false

  package init(layout: StoreLayout, entity: EntityLayout, storeUUID: String?) {
    self.layout = layout
    self.storeUUID = storeUUID
    context = SQLContext(layout: layout)
    root = context.open(entity)
  }

  mutating func condition(_ predicate: TypedPredicate) throws(CheckError) -> SQL {
    switch predicate {
    case .constant(let isTrue): return isTrue ? "1" : "0"
    case .comparison(let comparison): return try condition(comparison)
    case .not(let negated):
      let outer = isUnderNot
      isUnderNot = true
      defer { isUnderNot = outer }
      return "NOT (\(try condition(negated)))"
    case .and(let members):
      let needed = members.filter { $0 != .constant(true) }
      guard !needed.isEmpty else { return "1" }
      return try conditions(of: needed) { if case .or = $0 { true } else { false } }
        .joinedFlat(" AND ")
    case .or(let members):
      return try conditions(of: members) { if case .and = $0 { true } else { false } }
        .joinedFlat(" OR ")
    }
  }

  private mutating func conditions(
    of members: [TypedPredicate], parenthesising needsParentheses: (TypedPredicate) -> Bool
  ) throws(CheckError) -> [SQL] {
    try members.map { member throws(CheckError) -> SQL in
      let sql = try condition(member)
      return needsParentheses(member) ? "(\(sql))" : sql
    }
  }

  private mutating func condition(_ comparison: TypedComparison) throws(CheckError) -> SQL {
    if comparison.looksThroughRows {
      try refuseAggregates(in: [comparison.left, comparison.right])
    }
    guard comparison.modifier != .direct, comparison.left.type.isCollection else {
      return try direct(comparison)
    }
    var member = try open(comparison.left, hasMissing: true)
    if comparison.modifier == .any, isUnderNot, asksManyRows, comparison.isRange, member.isColumn {
      // NONE requires the set of all matching members, which can be half of the table. The plus prevents SQLite from
      // visiting them by an index, which takes several times as long as a scan.
      member.sql = "+\(member.sql)"
    }
    let condition = try compare(member, comparison)
    switch comparison.modifier {
    case .direct, .any:
      context.add(condition)
      return closeTest()
    case .all:
      // A member for which the comparison is NULL doesn't satisfy it.
      context.add("(\(condition)) IS NOT TRUE")
      return closeTest(negated: true)
    }
  }
}

extension TypedComparison {
  /// Whether the comparison becomes a sub-select over a collection. `x IN {1, 2}` doesn't, because SQLite's IN accepts
  /// a list of values.
  fileprivate var looksThroughRows: Bool {
    if modifier != .direct, left.type.isCollection { return true }
    let collections = [left, right].filter(\.type.isCollection)
    return collections.count == 2 || collections.contains { !$0.isList }
  }
}

extension [SQL] {
  /// Joins conditions with AND or OR. SQLite nests each condition of a chain one level deeper, and rejects more than
  /// 1000 levels ("Expression tree is too large"). Chains of more than 200 conditions are therefore split into halves,
  /// recursively.
  func joinedFlat(_ connective: SQL) -> SQL {
    guard count > 200 else { return joined(connective) }
    let half = count / 2
    return
      "(\(Array(self[..<half]).joinedFlat(connective)))\(connective)(\(Array(self[half...]).joinedFlat(connective)))"
  }
}

extension PredicateCompiler {
  /// Closes the open sub-select and returns the condition that it finds a member or, if `negated`, that it doesn't.
  mutating func closeTest(negated: Bool = false, isDriving: Bool = true) -> SQL {
    context.closeTest(
      negated: negated, asSet: asksManyRows, nullIsFalse: !isUnderNot, isDriving: isDriving)
  }

  /// Returns the condition of a comparison such as `shelf.room == 'A'` for many rows, as a search in the set of shelves
  /// for which it is true:
  ///
  ///     t0.ZSHELF IN (SELECT t1.Z_PK FROM ZSHELF t1 WHERE t1.ZROOM = 'A')
  ///
  /// If the rows are requested in the order of their primary keys, a join would visit each row and its shelf, unless
  /// there is an index for the condition. With the set, SQLite finds the rows of each shelf by the index on the
  /// relationship. That is slower than a scan if most rows match, so a unary plus disables the index for conditions
  /// that usually match many rows.
  ///
  /// Returns nil for other comparisons, and if a row without a destination could match.
  mutating func destinationCondition(_ comparison: TypedComparison) throws(CheckError) -> SQL? {
    guard asksManyRows, !isUnderNot, comparison.right.isConstant,
      comparison.right.constant != .null,
      case .keyPath(let base, _, var path) = comparison.left.kind,
      base.kind == .selfObject || base.isVariable,
      !path.isToMany, !path.steps.isEmpty, case .attribute = path.ending
    else { return nil }
    let start = try row(of: base)
    let first = path.steps.removeFirst()
    let row = try context.openDestination(
      of: first.relationship, from: try context.narrow(start, to: first.entity))
    let member = try walk(path, from: row, isOpen: true)
    context.add(try compare(try operand(member), comparison))
    return closeTest(isDriving: !comparison.findsMany)
  }
}

extension TypedComparison {
  /// Whether the comparison probably matches many rows. This is an estimate, because the store doesn't contain
  /// statistics.
  fileprivate var findsMany: Bool { self.operator == .notEqual || isRange }

  /// Whether SQLite would use an index for the comparison although it may match half of the rows.
  var isRange: Bool {
    switch self.operator {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
    case .equal, .notEqual, .in, .contains, .beginsWith, .endsWith, .like, .matches: false
    }
  }
}

extension PredicateCompiler {
  /// Returns the SQL of `median(items.price)`, `stddev({a, b})` or `median(a, b)`, or of `median(price)` as an
  /// aggregate of the fetched rows.
  ///
  /// - Parameter name: the aggregate function in SQL.
  mutating func statistic(
    _ function: FormatFunction, _ name: SQL, _ arguments: [TypedExpression], at range: TextRange
  ) throws(CheckError) -> SQL {
    guard let only = arguments.first, arguments.count == 1 else {
      return "(SELECT \(name)(value) FROM (\(try rows(of: arguments))))"
    }
    if only.type.isCollection {
      let member = try open(only)
      return "(\(context.close(selecting: "\(name)(\(member.sql))")))"
    }
    try requireAggregates(function, of: only, at: range)
    return "\(name)(\(try value(only)))"
  }

  /// Returns a SELECT of the most frequent values. The SELECT returns several rows if several values are equally
  /// frequent.
  mutating func modes(of arguments: [TypedExpression]) throws(CheckError) -> SQL {
    let rows: SQL
    switch arguments.first {
    case let only? where arguments.count == 1 && only.type.isCollection: rows = try self.rows(only)
    case let only? where arguments.count == 1:
      throw CheckError(
        .unsupportedInStore("'\(FormatFunction.mode.rawValue)' of the fetched rows"), at: only.range
      )
    default: rows = try self.rows(of: arguments)
    }
    return """
      SELECT value FROM (SELECT value, RANK() OVER (ORDER BY COUNT(*) DESC) AS rank \
      FROM (\(rows)) WHERE value IS NOT NULL GROUP BY value) WHERE rank = 1
      """
  }

  /// Returns the SQL of the distance in meters between two rows with the attributes `latitude` and `longitude`.
  mutating func distance(_ arguments: [TypedExpression]) throws(CheckError) -> SQL {
    var degrees: [SQL] = []
    for argument in arguments {
      guard let row = try operand(argument).row else {
        throw CheckError(.unsupportedInStore("the location of this value"), at: argument.range)
      }
      degrees.append(try context.column("latitude", of: row))
      degrees.append(try context.column("longitude", of: row))
    }
    return "NUMBER_DISTANCE(\(degrees.joined(", ")))"
  }
}
