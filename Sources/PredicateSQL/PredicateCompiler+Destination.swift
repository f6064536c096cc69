import SQLiteAccess
import StoreModel
import StorePredicate

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
