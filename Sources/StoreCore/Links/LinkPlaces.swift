import PredicateSQL
import StoreLayout
import SQLiteAccess

/// The positions of new members in an ordered relationship: after the existing members, or at an index among them.
///
/// The position in a request applies only to the relationship in the request. In an ordered inverse, new members are
/// added at the end.
struct LinkPlaces {
  let order: LinkedRelationship.Order
  let plan: LinkPlan

  private var position: Int? { order.side == .source ? plan.position : nil }
  private var owner: SQL { order.side.key }
  private var member: SQL { order.side.opposite.key }
  private var gaps: SQL { LinkPlan.temporary(LinkPlan.gaps) }
  private var place: SQL { .name("t", order.place) }

  /// The ORDER BY terms for new members.
  private var rank: SQL { order.side == .source ? "p.n IS NULL, p.n, p.d" : "p.s" }

  /// A SELECT of the existing members: the keys of the owner (`o`) and the member (`m`), the stored position (`place`),
  /// and the index among the owner's members (`i`), counted from 0.
  private var others: SQL {
    """
    SELECT t.\(name: order.owner) AS o, t.\(name: order.member) AS m, \(place) AS place, \
    row_number() OVER (PARTITION BY t.\(name: order.owner) \
    ORDER BY \(place), t.\(name: order.member)) - 1 AS i \
    FROM \(name: order.table) AS t WHERE t.\(name: order.owner) IN (\(owners))
    """
  }

  private var owners: SQL { "SELECT \(owner) FROM \(plan.pairs) WHERE n NOT NULL" }

  /// A SELECT of the owner with the fewest members, if they are too few for the position: its key, its entity number
  /// and the number of members. Nil if the request has no position.
  var misplaced: SQL? {
    guard let position else { return nil }
    return """
      SELECT p.\(owner), p.\(owner)e, (SELECT count(*) FROM \(name: order.table) AS t \
      WHERE t.\(name: order.owner) = p.\(owner)) AS count FROM \(plan.pairs) AS p \
      WHERE n NOT NULL AND count < \(.number(Int64(position))) ORDER BY 3, 1 LIMIT 1
      """
  }

  /// The statements that compute the positions of new members before their links are created. If there aren't enough
  /// numbers between the stored positions of the members before and after them, all members of the owner get new
  /// positions.
  var makingRoom: [SQL] {
    guard let position else { return [] }
    let at = SQL.number(Int64(position))
    let limit = SQL.number(KeyRange.limit)
    func place(at index: SQL) -> SQL {
      "max(CAST(place AS INTEGER)) FILTER (WHERE i = \(index) AND place BETWEEN 0 AND \(limit))"
    }
    let before: SQL =
      position == 0 ? "iif(count(x.o) = 0, 1024, 0)" : place(at: "\(at) - 1")
    let step: SQL = "(\(place(at: at)) - \(before)) / (p.new + 1)"
    let isFull: SQL = "coalesce(g.before, -1) < 0 OR coalesce(g.step, 0) <= 0"
    return [
      """
      CREATE TEMP TABLE \(name: LinkPlan.gaps) \
      (o INTEGER PRIMARY KEY, new INTEGER, before INTEGER, step INTEGER)
      """,
      """
      INSERT INTO \(gaps) SELECT p.o, p.new, \(before), \
      iif(count(x.o) = \(at), 1024, \(step)) \
      FROM (SELECT \(owner) AS o, count(*) AS new FROM \(plan.pairs) WHERE n NOT NULL GROUP BY 1) \
      AS p LEFT JOIN (\(others)) AS x ON x.o = p.o GROUP BY p.o
      """,
      """
      UPDATE \(name: order.table) SET \(name: order.place) = \
      \(OrderPlaces.place(at: "(x.i + iif(x.i < \(at), 0, g.new))")) \
      FROM (\(others)) AS x JOIN \(gaps) AS g ON g.o = x.o \
      WHERE (\(isFull)) AND \(isMember(x: "x"))
      """,
      """
      UPDATE \(gaps) AS g SET before = \(OrderPlaces.place(at: "(\(at) - 1)")), step = 1024 \
      WHERE \(isFull)
      """,
    ]
  }

  /// The statements that set the positions of new members.
  var placing: [SQL] {
    guard position != nil else { return [behindOthers] }
    let between: SQL = """
      SELECT p.\(owner) AS o, p.\(member) AS m, g.before + g.step * \
      row_number() OVER (PARTITION BY p.\(owner) ORDER BY \(rank)) AS place \
      FROM \(plan.pairs) AS p JOIN \(gaps) AS g ON g.o = p.\(owner) WHERE p.n NOT NULL
      """
    let placed: SQL = """
      UPDATE \(name: order.table) SET \(name: order.place) = x.place FROM (\(between)) AS x \
      WHERE \(isMember(x: "x"))
      """
    return plan.relationship.isOwnInverse ? [placed, behindOthers] : [placed]
  }

  private var behindOthers: SQL {
    let taken: SQL = """
      SELECT t.\(name: order.owner) AS o, \(OrderPlaces.last(place)) AS place \
      FROM \(name: order.table) AS t \
      WHERE t.\(name: order.owner) IN (SELECT \(owner) FROM \(plan.pairs)) GROUP BY 1
      """
    let number: SQL = "row_number() OVER (PARTITION BY p.\(owner) ORDER BY \(rank))"
    let isLast: SQL = position == nil ? "TRUE" : "p.n IS NULL"
    return """
      UPDATE \(name: order.table) SET \(name: order.place) = x.place FROM \
      (SELECT p.\(owner) AS o, p.\(member) AS m, \
      \(OrderPlaces.place(ofNext: number, behind: "taken.place")) AS place \
      FROM \(plan.pairs) AS p LEFT JOIN (\(taken)) AS taken ON taken.o = p.\(owner) \
      WHERE \(isLast)) AS x WHERE \(isMember(x: "x"))
      """
  }

  private func isMember(x: SQL) -> SQL {
    """
    \(.name(order.table, order.owner)) = \(x).o AND \(.name(order.table, order.member)) = \(x).m
    """
  }
}
