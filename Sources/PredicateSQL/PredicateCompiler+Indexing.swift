import SQLiteAccess
import StoreModel
import StorePredicate

// Members of a collection by their place. A place without a member gives NULL.

extension PredicateCompiler {
  /// `a[0]`, `a[FIRST]`, `a[LAST]`, `a[SIZE]`
  mutating func element(
    _ index: TypedIndex, of collection: TypedExpression, at range: TextRange
  ) throws(CheckError) -> SQL {
    if case .list(let members) = collection.kind { return try element(index, among: members) }
    switch index {
    case .size:
      _ = try open(collection)
      return "(\(context.close(selecting: "COUNT(*)")))"
    case .first: return try element(at: 0, of: collection, isBackwards: false)
    case .last: return try element(at: 0, of: collection, isBackwards: true)
    case .at(let place):
      if case .constant(.integer(let number)) = place.kind {
        return number < 0 ? "NULL" : try element(at: number, of: collection, isBackwards: false)
      }
      try refuseAggregates(in: [place])
      // The place is found before the sub-select opens: what it joins belongs outside.
      let wanted = try value(place)
      let rows = try placedRows(collection)
      return "(SELECT value FROM (\(rows)) WHERE place = CAST(\(wanted) AS INTEGER))"
    }
  }

  /// Of written members SQL needs only the one.
  private mutating func element(
    _ index: TypedIndex, among members: [TypedExpression]
  ) throws(CheckError) -> SQL {
    switch index {
    case .size:
      try refuseAggregates(in: members)
      return .number(Int64(members.count))
    case .first:
      return try members.first.map { member throws(CheckError) in try term(member) } ?? "NULL"
    case .last:
      return try members.last.map { member throws(CheckError) in try term(member) } ?? "NULL"
    case .at(let place):
      if case .constant(.integer(let number)) = place.kind {
        guard members.indices.contains(Int(clamping: number)) else { return "NULL" }
        return try term(members[Int(number)])
      }
      guard !members.isEmpty else { return "NULL" }
      var branches: [SQL] = []
      for (number, member) in members.enumerated() {
        branches.append("WHEN \(.number(Int64(number))) THEN \(try value(member))")
      }
      return "CASE CAST(\(try value(place)) AS INTEGER) \(branches.joined(" ")) END"
    }
  }

  private mutating func element(
    at place: Int64, of collection: TypedExpression, isBackwards: Bool
  ) throws(CheckError) -> SQL {
    let member = try open(collection).unmarked
    let order = try requiredOrder(of: collection)
      .map { isBackwards ? "\($0) DESC" : $0 }.joined(", ")
    let rows = context.close(selecting: member.sql)
    let offset: SQL = place == 0 ? "" : " OFFSET \(.number(place))"
    return "(\(rows) ORDER BY \(order) LIMIT 1\(offset))"
  }

  /// The members with their places, counted from 0: a SELECT of `value` and `place`.
  mutating func placedRows(_ collection: TypedExpression) throws(CheckError) -> SQL {
    if case .list(let members) = collection.kind {
      guard !members.isEmpty else { return "SELECT NULL AS value, 0 AS place WHERE 0" }
      try refuseAggregates(in: members)
      var values: [SQL] = []
      for (place, member) in members.enumerated() {
        values.append("(\(try value(member)), \(.number(Int64(place))))")
      }
      return
        "WITH list(value, place) AS (VALUES \(values.joined(", "))) SELECT value, place FROM list"
    }
    let member = try open(collection).unmarked
    let order = try requiredOrder(of: collection).joined(", ")
    return context.close(
      selecting: "\(member.sql) AS value, ROW_NUMBER() OVER (ORDER BY \(order)) - 1 AS place")
  }

  /// Of the sub-select that is open.
  private func requiredOrder(of collection: TypedExpression) throws(CheckError) -> [SQL] {
    guard !context.order.isEmpty else {
      throw CheckError(.unordered("this collection"), at: collection.range)
    }
    return context.order
  }
}
