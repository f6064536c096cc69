import StoreLayout
package import SQLiteAccess
import StoreModel
package import StorePredicate

extension PredicateCompiler {
  /// A comparison without modifier, or with one that there is nothing to modify in.
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

  /// Compares a left side that is compiled already.
  mutating func compare(
    _ left: Operand, _ comparison: TypedComparison
  ) throws(CheckError) -> SQL {
    switch comparison.operator {
    case .in: return try membership(of: left, in: comparison.right, comparison.options)
    case .between: return try range(left, comparison)
    case .equal:
      return try equality(left, operand(comparison.right), comparison.options, negated: false)
    case .notEqual:
      return try equality(left, operand(comparison.right), comparison.options, negated: true)
    case .less: return try order(left, "<", comparison)
    case .lessOrEqual: return try order(left, "<=", comparison)
    case .greater: return try order(left, ">", comparison)
    case .greaterOrEqual: return try order(left, ">=", comparison)
    case .contains, .beginsWith, .endsWith, .like, .matches:
      let right = try operand(comparison.right)
      return try text(left, comparison.operator, right, comparison.options)
    }
  }

  /// `=` and `<>`; IS NULL beside nil.
  package func equality(
    _ left: Operand, _ right: Operand, _ options: Comparison.Options, negated: Bool
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

  /// A row and an object ID, where the key alone does not tell: the ID names a sub-entity, but the
  /// row may be of another one in the same table. Nil when the key is enough.
  private func identity(_ object: Operand, _ other: Operand) -> SQL? {
    guard case .object = object.type, let row = object.row,
      case .objectID(let id)? = other.constant,
      let check = entityCheck(of: row, for: id)
    else { return nil }
    return "\(object.sql) = \(other.sql) AND \(check)"
  }

  /// What must be true of the row's `Z_ENT` for it to be the object that `id` names; nil when its key
  /// alone tells.
  func entityCheck(of row: RowReference, for id: ObjectID) -> SQL? {
    guard let named = layout.entity(named: id.entity),
      !Set(row.entity.subtree).isSubset(of: named.subtree)
    else { return nil }
    return Self.isOne(of: named.subtree, row.number ?? context.lookup(of: row))
  }

  /// `x = ?`, or `x IN (?, ?)`
  package static func isOne(of numbers: [Int64], _ column: SQL) -> SQL {
    guard numbers.count > 1 else { return "\(column) = \(.number(numbers.first ?? 0))" }
    return "\(column) IN (\(numbers.map(SQL.number).joined(", ")))"
  }

  private mutating func order(
    _ left: Operand, _ symbol: SQL, _ comparison: TypedComparison
  ) throws(CheckError) -> SQL {
    let right = try operand(comparison.right)
    return order(left, symbol, right, comparison.options)
  }

  private func order(
    _ left: Operand, _ symbol: SQL, _ right: Operand, _ options: Comparison.Options
  ) -> SQL {
    if left.isText, right.isText, let folding = options.folding {
      return "TEXT_COMPARE(\(left.sql), \(right.sql), \(folding)) \(symbol) 0"
    }
    let sides = matched([left, right])
    return "\(sides[0].sql) \(symbol) \(sides[1].sql)"
  }

  /// BETWEEN {lower, upper}, both included.
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
