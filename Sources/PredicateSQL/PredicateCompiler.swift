import SQLiteAccess
package import StoreLayout
import StoreModel
import StorePredicate

/// Turns typed predicates and expressions into SQL conditions and values. Types and key paths are
/// those of the tree; nothing here asks the model again.
///
/// NULL follows SQL: a comparison with it is neither true nor false, so neither `x != 'a'` nor its
/// NOT finds a row whose x is NULL, just as in Core Data's own SQLite store. To-many relationships
/// are looked into with sub-selects, so a row is found once or not at all. `docs/formats/predicate-sql.md`
/// shows what each construct becomes.
package struct PredicateCompiler {
  package var context: SQLContext
  package let layout: StoreLayout
  /// Object IDs of other stores name no row of this one.
  package let storeUUID: String?
  /// The row that the predicate is about.
  package let root: RowReference
  /// `$x` of the SUBQUERYs around: a member of what they look through.
  package var variables: [String: Operand] = [:]
  /// The predicate is asked of many rows, so that what does not depend on them is better computed once.
  var asksManyRows = false
  /// What is being compiled stands under a NOT, where NULL is not as good as false.
  private(set) var isUnderNot = false
  /// `sum(price)` may fold the rows.
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
    var result: [SQL] = []
    for member in members {
      let sql = try condition(member)
      result.append(needsParentheses(member) ? "(\(sql))" : sql)
    }
    return result
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
      // NONE needs the set of all that it finds; to visit half of a table by an index takes
      // several times as long as a scan.
      member.sql = "+\(member.sql)"
    }
    let condition = try compare(member, comparison)
    switch comparison.modifier {
    case .direct, .any:
      context.add(condition)
      return closeTest()
    case .all:
      // A member for which the comparison is unknown does not satisfy it.
      context.add("(\(condition)) IS NOT TRUE")
      return closeTest(negated: true)
    }
  }
}

extension TypedComparison {
  /// Becomes a sub-select over a collection. `x IN {1, 2}` does not: its members are values of the row.
  fileprivate var looksThroughRows: Bool {
    if modifier != .direct, left.type.isCollection { return true }
    let collections = [left, right].filter(\.type.isCollection)
    return collections.count == 2 || collections.contains { !$0.isList }
  }
}

extension TypedExpression {
  fileprivate var isList: Bool {
    if case .list = kind { true } else { false }
  }
}

extension [SQL] {
  /// Joins with AND or OR. SQLite nests a chain one level a link and refuses more than 1000 levels:
  /// "Expression tree is too large"; so a long chain is halved, and its halves again.
  func joinedFlat(_ connective: SQL) -> SQL {
    guard count > 200 else { return joined(connective) }
    let half = count / 2
    return
      "(\(Array(self[..<half]).joinedFlat(connective)))\(connective)(\(Array(self[half...]).joinedFlat(connective)))"
  }
}

extension PredicateCompiler {
  /// Ends the open sub-select as the test that it finds a member, or none.
  mutating func closeTest(negated: Bool = false, isDriving: Bool = true) -> SQL {
    context.closeTest(
      negated: negated, asSet: asksManyRows, nullIsFalse: !isUnderNot, isDriving: isDriving)
  }

  /// `shelf.room == 'A'` over many rows, by the set of the shelves for which it is true:
  ///
  ///     t0.ZSHELF IN (SELECT t1.Z_PK FROM ZSHELF t1 WHERE t1.ZROOM = 'A')
  ///
  /// A join visits every row and its shelf when they are wanted in their order, unless an index serves the condition.
  /// With the set, SQLite goes from the shelves to their rows by the index on the relationship. That is slower than
  /// a scan where most rows are found: the plus keeps it from the index for conditions that mostly find many.
  ///
  /// Nil for any other comparison, and where a row without destination may be found.
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
  /// A guess, for want of statistics.
  fileprivate var findsMany: Bool { self.operator == .notEqual || isRange }

  /// What an index would serve, although it may find half of the rows.
  var isRange: Bool {
    switch self.operator {
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between: true
    case .equal, .notEqual, .in, .contains, .beginsWith, .endsWith, .like, .matches: false
    }
  }
}

extension TypedExpression {
  fileprivate var isVariable: Bool {
    if case .variable = kind { true } else { false }
  }
}

extension PredicateCompiler {
  /// `median(items.price)`, `stddev({a, b})`, `median(a, b)`; `median(price)` over the rows.
  ///
  /// - Parameter name: the SQL function that folds them.
  mutating func statistic(
    _ function: Function, _ name: SQL, _ arguments: [TypedExpression], at range: TextRange
  ) throws(CheckError) -> SQL {
    guard let only = arguments.first, arguments.count == 1 else {
      return "(SELECT \(name)(value) FROM (\(try rows(of: arguments))))"
    }
    if only.type.isCollection {
      let member = try open(only)
      return "(\(context.close(selecting: "\(name)(\(member.sql))")))"
    }
    guard allowsAggregates else {
      throw CheckError(.aggregateOfRows(function.rawValue, extreme: nil), at: range)
    }
    try refuseAggregates(in: [only], inside: function)
    return "\(name)(\(try value(only)))"
  }

  /// The values that are there most often: all those whose group is as large as the largest.
  mutating func modes(of arguments: [TypedExpression]) throws(CheckError) -> SQL {
    let rows: SQL
    switch arguments.first {
    case let only? where arguments.count == 1 && only.type.isCollection: rows = try self.rows(only)
    case let only? where arguments.count == 1:
      throw CheckError(
        .unsupportedInStore("'\(Function.mode.rawValue)' of the fetched rows"), at: only.range)
    default: rows = try self.rows(of: arguments)
    }
    return """
      SELECT value FROM (SELECT value, RANK() OVER (ORDER BY COUNT(*) DESC) AS rank \
      FROM (\(rows)) WHERE value IS NOT NULL GROUP BY value) WHERE rank = 1
      """
  }

  /// Metres between two rows that have a latitude and a longitude.
  mutating func distance(_ arguments: [TypedExpression]) throws(CheckError) -> SQL {
    var degrees: [SQL] = []
    for argument in arguments {
      guard let row = try operand(argument).row else {
        throw CheckError(.unsupportedInStore("the place of this value"), at: argument.range)
      }
      degrees.append(try context.column("latitude", of: row))
      degrees.append(try context.column("longitude", of: row))
    }
    return "NUMBER_DISTANCE(\(degrees.joined(", ")))"
  }
}
