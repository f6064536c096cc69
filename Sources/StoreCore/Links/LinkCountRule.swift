import PredicateSQL
import StoreLayout
import StoreModel
import SQLiteAccess

/// A limit for the number of members of a relationship. It is checked for the planned links before the change, so that
/// a dry run checks it too.
///
/// As in other requests, an owner (a row with the relationship) can violate the rule after the change only if it did
/// before and the violation doesn't increase.
struct LinkCountRule: Hashable, Sendable {
  let rule: MemberCountRule
  /// The side of the rows that the rule applies to.
  let side: LinkSide

  /// A SELECT of the first owner with an invalid number of members: its entity number, its key and the number.
  func violation(of plan: LinkPlan) -> SQL {
    let minimum = SQL.number(Int64(rule.minimum))
    let known: SQL = rule.isOptional ? " AND after > 0" : ""
    // An optional relationship may be empty. If it was empty, getting fewer members than the minimum is a violation.
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

  /// Returns a SELECT of the keys of owners (`k`) and the numbers of members that they gain (`more`, negative for a
  /// loss).
  private func changes(_ plan: LinkPlan) -> SQL {
    let each: SQL = plan.kind == .link ? "1" : "-1"
    return """
      SELECT k, sum(more) AS more FROM (SELECT \(side.key) AS k, \(each) AS more FROM \(plan.pairs) \
      UNION ALL SELECT \(side.key), -1 FROM \(plan.ended)) GROUP BY k
      """
  }
}

extension LinkedRelationship {
  /// Returns the limits for numbers of members that a change of links can violate.
  func countRules(in layout: StoreLayout) -> [LinkCountRule] {
    let sides: [LinkSide] = isOwnInverse ? [.source] : [.source, .destination]
    return sides.flatMap { side -> [LinkCountRule] in
      guard let name = property(of: side), let members = place(of: side).toMany[name] else {
        return []
      }
      return layout.memberCountRules.filter {
        $0.property == name && $0.toMany.pairs == members.pairs
      }
      .map { LinkCountRule(rule: $0, side: side) }
    }
  }
}
