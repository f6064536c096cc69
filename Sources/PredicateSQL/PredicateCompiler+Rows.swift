import StoreLayout
import SQLiteAccess
import StoreModel
import StorePredicate

// Collections as rows: a SELECT with one column, `value`.

extension PredicateCompiler {
  mutating func rows(_ collection: TypedExpression) throws(CheckError) -> SQL {
    switch collection.kind {
    case .list(let members): return try rows(of: members)
    case .set(let operation, let left, let right):
      // SQLite evaluates a compound SELECT from left to right, and doesn't accept parentheses around its parts.
      let first = try rows(left)
      // On the right side, VALUES is sufficient, because the first SELECT determines the name of the column.
      if case .list(let members) = right.kind, !members.isEmpty,
        members.count <= ValueList.inlineLimit
      {
        try refuseAggregates(in: members)
        return "\(first) \(operation.sql) VALUES \(try listed(members).values.joined(", "))"
      }
      let second = try rows(right)
      let isCompound =
        switch right.kind {
        case .set, .list: true
        default: false
        }
      let last: SQL = isCompound ? "SELECT value FROM (\(second))" : second
      return "\(first) \(operation.sql) \(last)"
    case .function(.mode, let arguments): return try modes(of: arguments)
    default:
      if let values = try distinctValues(collection) { return values }
      let member = try open(collection).unmarked
      return context.close(selecting: "\(member.sql) AS value")
    }
  }

  /// Returns a SELECT with one row for each value of a list.
  mutating func rows(of members: [TypedExpression]) throws(CheckError) -> SQL {
    try refuseAggregates(in: members)
    guard !members.isEmpty else { return "SELECT NULL AS value WHERE 0" }
    let (values, constants) = try listed(members)
    if constants.count == members.count, constants.count > ValueList.inlineLimit {
      return ValueList(values: constants).rows
    }
    // WITH names the column. Otherwise, if the first value is a column, VALUES would use the name of that column.
    return "WITH list(value) AS (VALUES \(values.joined(", "))) SELECT value FROM list"
  }

  /// Returns the SQL of each value in parentheses, and the values of the constants among them.
  private mutating func listed(
    _ members: [TypedExpression]
  ) throws(CheckError) -> (values: [SQL], constants: [SQLiteValue]) {
    var values: [SQL] = []
    var constants: [SQLiteValue] = []
    for member in members {
      let operand = try operand(member).unmarked
      values.append("(\(operand.sql))")
      if let constant = operand.constant { constants.append(bound(constant)) }
    }
    return (values, constants)
  }

  /// Returns a SELECT of `items.@distinctUnionOfObjects.price` without duplicates and NULL, or nil for other
  /// expressions.
  private mutating func distinctValues(_ expression: TypedExpression) throws(CheckError) -> SQL? {
    guard case .keyPath(let base, _, let path) = expression.kind,
      path.collectionOperator?.isDistinct == true
    else { return nil }
    let value = try openUnion(path, of: base).unmarked.sql
    context.add("\(value) IS NOT NULL")
    return context.close(selecting: "DISTINCT \(value) AS value")
  }

  /// Opens a sub-select over the collection of an operator such as `@unionOfObjects`, with duplicates.
  private mutating func openUnion(
    _ path: ResolvedKeyPath, of base: TypedExpression
  ) throws(CheckError) -> Operand {
    guard case .aggregate(let function, let over?) = path.ending else {
      throw CheckError(.unsupportedInStore("this collection"), at: base.range)
    }
    var members = path
    members.ending = .object
    let owner = try walk(members, from: base, by: "'\(function.rawValue)'")
    return try operand(try walk(over, from: owner.row, isOpen: true))
  }

  /// Opens a sub-select over a list, a set operation, the modes of values or the collection of an operator, and returns
  /// the SQL of a member. Returns nil for other collections.
  mutating func openComposite(_ collection: TypedExpression) throws(CheckError) -> Operand? {
    switch collection.kind {
    case .list, .set:
      return try openDerived(collection, isSorted: false)
    case .function(.mode, _): return try openDerived(collection, isSorted: true)
    case .keyPath(let base, _, let path):
      guard let operation = path.collectionOperator, operation.makesCollection else { return nil }
      if operation.isDistinct { return try openDerived(collection, isSorted: false) }
      let value = try openUnion(path, of: base)
      context.add("\(value.sql) IS NOT NULL")
      return value
    default: return nil
    }
  }

  private mutating func openDerived(
    _ collection: TypedExpression, isSorted: Bool
  ) throws(CheckError) -> Operand {
    let type = collection.type.element
    let value = context.open(rows: try rows(collection), isSorted: isSorted)
    guard case .object(let entity) = type else { return Operand(sql: value, type: type) }
    let row = context.row(of: try context.entity(named: entity), key: value)
    return Operand(sql: value, type: type, row: row)
  }

  /// Opens a sub-select over a collection of objects and returns the row of a member.
  mutating func openRows(_ collection: TypedExpression) throws(CheckError) -> RowReference {
    guard let row = try open(collection).row else {
      throw CheckError(.unsupportedInStore("a key path after these values"), at: collection.range)
    }
    return row
  }

  /// Returns the condition of `a == b` for two collections. If both are ordered, they are equal if they have equal
  /// members at each index. Otherwise, they are equal if each contains all members of the other.
  mutating func sameMembers(
    _ left: TypedExpression, _ right: TypedExpression, options: FormatComparison.Options
  ) throws(CheckError) -> SQL {
    guard options.folding == nil else {
      throw CheckError(
        .unsupportedInStore("a comparison of collections with [c] or [d]"), at: left.range)
    }
    let hasPlaces = left.unordered == nil && right.unordered == nil
    let first = hasPlaces ? try placedRows(left) : try rows(left)
    let second = hasPlaces ? try placedRows(right) : try rows(right)
    // A value that only one of the collections contains occurs once in the union, so there must be no such value.
    return """
      NOT EXISTS (SELECT 1 FROM (SELECT DISTINCT * FROM (\(first)) UNION ALL \
      SELECT DISTINCT * FROM (\(second))) GROUP BY value\(hasPlaces ? ", place" : "") \
      HAVING COUNT(*) = 1)
      """
  }
}

extension ResolvedKeyPath {
  fileprivate var collectionOperator: CollectionOperator? {
    if case .aggregate(let function, _) = ending { function } else { nil }
  }
}

extension SetOperator {
  /// SQLite's operator, which removes duplicates and treats NULL as a value.
  fileprivate var sql: SQL {
    switch self {
    case .union: "UNION"
    case .intersect: "INTERSECT"
    case .minus: "EXCEPT"
    }
  }
}
