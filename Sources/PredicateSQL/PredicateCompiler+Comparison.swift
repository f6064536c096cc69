package import SQLiteAccess
import StoreLayout
import StoreModel
package import StorePredicate

extension PredicateCompiler {
  /// Returns the condition of a comparison without a modifier, or with a modifier that has no effect because the left
  /// side isn't a collection.
  mutating func direct(_ comparison: TypedComparison) throws(CheckError) -> SQL {
    if let sql = try countCondition(comparison) { return sql }
    if comparison.operator == .equal || comparison.operator == .notEqual,
      comparison.left.type.isCollection, comparison.right.type.isCollection
    {
      let same = try sameMembers(comparison.left, comparison.right, options: comparison.options)
      return comparison.operator == .equal ? same : "NOT (\(same))"
    }
    if let sql = try destinationCondition(comparison) { return sql }
    if comparison.operator == .contains, comparison.left.type.isCollection {
      let member = try operand(comparison.right)
      return try membership(of: member, in: comparison.left, comparison.options)
    }
    return try compare(try operand(comparison.left), comparison)
  }

  /// Returns the condition of a comparison whose left side is already compiled.
  mutating func compare(
    _ left: Operand, _ comparison: TypedComparison
  ) throws(CheckError) -> SQL {
    switch comparison.operator {
    case .in: return try membership(of: left, in: comparison.right, comparison.options)
    case .between: return try range(left, comparison)
    case .equal, .notEqual:
      return try equality(
        left, operand(comparison.right), comparison.options,
        negated: comparison.operator == .notEqual)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let symbol = SQL(segments: [.text(comparison.operator.rawValue)])
      return order(left, symbol, try operand(comparison.right), comparison.options)
    case .contains, .beginsWith, .endsWith, .like, .matches:
      let right = try operand(comparison.right)
      return try text(left, comparison.operator, right, comparison.options)
    }
  }

  /// Returns the comparison with `=` or `<>`, or with `IS NULL` or `IS NOT NULL` if a side is nil.
  package func equality(
    _ left: Operand, _ right: Operand, _ options: FormatComparison.Options, negated: Bool
  ) -> SQL {
    if right.isNull { return "\(left.sql) IS\(negated ? " NOT" : "") NULL" }
    if left.isNull { return "\(right.sql) IS\(negated ? " NOT" : "") NULL" }
    if let identity = identity(left, right) ?? identity(right, left) {
      return negated ? "NOT (\(identity))" : identity
    }
    let sides = matched([left, right])
    if left.isText, right.isText, let folding = options.folding {
      return "\(negated ? "NOT " : "")TEXT_EQUALS(\(left.sql), \(right.sql), \(folding))"
    }
    return "\(sides[0].sql) \(negated ? "<>" : "=") \(sides[1].sql)"
  }

  /// Returns the comparison of a row with an object ID by key and entity. The key isn't sufficient if the ID contains a
  /// subentity, because the row can be of another entity in the same table. Returns nil for other operands, and if the
  /// key is sufficient.
  private func identity(_ object: Operand, _ other: Operand) -> SQL? {
    guard case .object = object.type, let row = object.row,
      case .objectID(let id)? = other.constant,
      let check = entityCheck(of: row, for: id)
    else { return nil }
    return "\(object.sql) = \(other.sql) AND \(check)"
  }

  /// Returns the condition that the row's `Z_ENT` fits the entity in `id`, or nil if comparing the keys is sufficient.
  func entityCheck(of row: RowReference, for id: ObjectID) -> SQL? {
    guard let named = layout.entity(named: id.entity),
      !Set(row.entity.subtree).isSubset(of: named.subtree)
    else { return nil }
    return Self.isOne(of: named.subtree, row.number ?? context.lookup(of: row))
  }

  /// Returns `x = ?` for one number, or `x IN (?, ?)` for several.
  package static func isOne(of numbers: [Int64], _ column: SQL) -> SQL {
    guard numbers.count > 1 else { return "\(column) = \(.number(numbers.first ?? 0))" }
    return "\(column) IN (\(numbers.map(SQL.number).joined(", ")))"
  }

  private func order(
    _ left: Operand, _ symbol: SQL, _ right: Operand, _ options: FormatComparison.Options
  ) -> SQL {
    if left.isText, right.isText, let folding = options.folding {
      return "TEXT_COMPARE(\(left.sql), \(right.sql), \(folding)) \(symbol) 0"
    }
    let sides = matched([left, right])
    return "\(sides[0].sql) \(symbol) \(sides[1].sql)"
  }

  /// Returns the condition of `BETWEEN {lower, upper}`. Both bounds are included.
  private mutating func range(
    _ left: Operand, _ comparison: TypedComparison
  ) throws(CheckError) -> SQL {
    guard case .list(let bounds) = comparison.right.kind, bounds.count == 2 else {
      throw CheckError(.needsTwoBounds(found: nil), at: comparison.right.range)
    }
    let lower = try operand(bounds[0])
    let upper = try operand(bounds[1])
    if left.isText, comparison.options.folding != nil {
      return
        "\(order(left, ">=", lower, comparison.options)) AND \(order(left, "<=", upper, comparison.options))"
    }
    let sides = matched([left, lower, upper])
    return "\(sides[0].sql) BETWEEN \(sides[1].sql) AND \(sides[2].sql)"
  }
}

// Members of a collection by index. If there is no such member, the value is NULL.

extension PredicateCompiler {
  /// Returns the SQL of `a[0]`, `a[FIRST]`, `a[LAST]` or `a[SIZE]`.
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
      // The index is compiled before the sub-select opens, because its joins belong to the outer statement.
      let wanted = try value(place)
      let rows = try placedRows(collection)
      return "(SELECT value FROM (\(rows)) WHERE place = CAST(\(wanted) AS INTEGER))"
    }
  }

  /// Returns an element of a list. It doesn't require a sub-select.
  private mutating func element(
    _ index: TypedIndex, among members: [TypedExpression]
  ) throws(CheckError) -> SQL {
    switch index {
    case .size:
      try refuseAggregates(in: members)
      return .number(Int64(members.count))
    case .first, .last:
      guard let member = index == .first ? members.first : members.last else { return "NULL" }
      return try term(member)
    case .at(let place):
      if case .constant(.integer(let number)) = place.kind {
        guard members.indices.contains(Int(clamping: number)) else { return "NULL" }
        return try term(members[Int(number)])
      }
      guard !members.isEmpty else { return "NULL" }
      let branches = try members.enumerated().map { number, member throws(CheckError) -> SQL in
        "WHEN \(.number(Int64(number))) THEN \(try value(member))"
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

  /// Returns a SELECT of `value` and `place`: the members with their indexes, which count from 0.
  mutating func placedRows(_ collection: TypedExpression) throws(CheckError) -> SQL {
    if case .list(let members) = collection.kind {
      guard !members.isEmpty else { return "SELECT NULL AS value, 0 AS place WHERE 0" }
      try refuseAggregates(in: members)
      let values = try members.enumerated().map { place, member throws(CheckError) -> SQL in
        "(\(try value(member)), \(.number(Int64(place))))"
      }
      return
        "WITH list(value, place) AS (VALUES \(values.joined(", "))) SELECT value, place FROM list"
    }
    let member = try open(collection).unmarked
    let order = try requiredOrder(of: collection).joined(", ")
    return context.close(
      selecting: "\(member.sql) AS value, ROW_NUMBER() OVER (ORDER BY \(order)) - 1 AS place")
  }

  /// Returns the order of the open sub-select, or throws an error if it has none.
  private func requiredOrder(of collection: TypedExpression) throws(CheckError) -> [SQL] {
    guard !context.order.isEmpty else {
      throw CheckError(.unordered("this collection"), at: collection.range)
    }
    return context.order
  }
}
