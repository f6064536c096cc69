import PredicateSQL
import StoreLayout
import StoreModel
import SQLiteAccess

/// How many members the model allows, judged by what links will change: before they do, so that a dry run knows, too.
///
/// As with any other write an owner that breaks the rule already may go on to; it must not get further away.
struct LinkCountRule: Hashable, Sendable {
  let rule: MemberCountRule
  /// The side whose rows the rule is about.
  let side: LinkSide

  /// The first owner with a number of members that is not allowed: its entity's number, its key, their number.
  func violation(of plan: LinkPlan) -> SQL {
    let (minimum, known): (SQL, SQL) = (
      .number(Int64(rule.minimum)), rule.isOptional ? " AND after > 0" : ""
    )
    // An optional relationship may stay empty, but not get fewer members than its minimum.
    let further: SQL = rule.isOptional ? "after < before OR before = 0" : "after < before"
    var wrong: SQL = "after < \(minimum)\(known) AND (\(further))"
    if let maximum = rule.maximum {
      wrong = "(\(wrong)) OR (after > \(.number(Int64(maximum))) AND after > before)"
    }
    return """
      SELECT entity, key, after FROM (SELECT entity, key, before, before + more AS after FROM \
      (SELECT o.\(name: FixedColumn.entity) AS entity, o.\(name: FixedColumn.primaryKey) AS key, \
      (\(rule.count())) AS before, c.more AS more FROM (\(changes(plan))) AS c \
      JOIN \(name: rule.owner.table) AS o ON o.\(name: FixedColumn.primaryKey) = c.k \
      WHERE \(rule.isOwner))) WHERE \(wrong) ORDER BY key LIMIT 1
      """
  }

  /// By how many members owners get more or less.
  private func changes(_ plan: LinkPlan) -> SQL {
    let each: SQL = plan.kind == .link ? "1" : "-1"
    return """
      SELECT k, sum(more) AS more FROM (SELECT \(side.key) AS k, \(each) AS more FROM \(plan.pairs) \
      UNION ALL SELECT \(side.key), -1 FROM \(plan.ended)) GROUP BY k
      """
  }
}

extension LinkedRelationship {
  /// The rules that a change of links can break.
  func countRules(in layout: StoreLayout) -> [LinkCountRule] {
    let sides: [LinkSide] = isOwnInverse ? [.source] : [.source, .destination]
    return sides.flatMap { side -> [LinkCountRule] in
      guard let name = property(of: side), let members = place(of: side).toMany[name] else {
        return []
      }
      return layout.memberCountRules.filter { $0.property == name && $0.isKept(as: members) }
        .map { LinkCountRule(rule: $0, side: side) }
    }
  }
}

extension MemberCountRule {
  /// Whether the members stand where those of a relationship do.
  fileprivate func isKept(as other: ToManyLayout) -> Bool {
    switch (toMany, other) {
    case (.column(let own), .column(let other)):
      own.table == other.table && own.column == other.column
    case (.joinTable(let own), .joinTable(let other)):
      own.table == other.table && own.sourceColumn == other.sourceColumn
    default: false
    }
  }
}
